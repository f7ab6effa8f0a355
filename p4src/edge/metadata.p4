#ifndef EDGE_METADATA_P4
#define EDGE_METADATA_P4

/* Number of the field list that a clone for a report keeps. */
#define REPORT_FIELDS 1

/* Written by blocks/int_watch.p4. */
struct source_metadata_t {
    bool   wanted;
    bit<8> max_hops;
}

/* Written by blocks/int_sink.p4. The lengths, DSCP and checksum are those with telemetry. */
struct sink_metadata_t {
    bool    has_hop;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<6>  dscp;
    bit<16> ip_length;
    bit<16> udp_length;
    bit<16> checksum;
}

#endif  /* EDGE_METADATA_P4 */
