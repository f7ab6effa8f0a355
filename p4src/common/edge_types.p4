#ifndef EDGE_TYPES_P4
#define EDGE_TYPES_P4

/* Shim and INT-MD header: what a source adds, and a sink removes besides the stack. */
const bit<16> INT_FIXED_BYTES = 16;

/* Why an INT source left a packet alone: index into the counter `egress.source.refused`. */
const bit<32> REFUSED_MTU = 0;
const bit<32> REFUSED_NO_PORT_RECORD = 1;
const bit<32> REFUSED_BAD_LENGTH = 2;
const bit<32> REFUSED_CAUSES = 3;

/* Bytes of a report: group header and first word; second and third word with the own hop. */
const bit<16> REPORT_BYTES = 12;
const bit<16> REPORT_HOP_BYTES = 36;

/* Telemetry Report v2.0: the group header and the first word of one individual report. */
header report_t {
    bit<4>  version;
    bit<6>  hw_id;
    bit<22> sequence;
    bit<32> node_id;
    bit<4>  report_type;
    bit<4>  inner_type;
    /* Words after this one; 255 means to the end of the datagram. */
    bit<8>  report_length;
    /* Words of metadata. */
    bit<8>  md_length;
    bit<1>  dropped;
    bit<1>  congested;
    bit<1>  tracked;
    bit<1>  intermediate;
    bit<4>  reserved;
}

/* Which metadata follow, of report type 1 (INT). */
header report_int_t {
    bit<16> md_bits;
    bit<16> domain_id;
    bit<16> ds_md_bits;
    bit<16> ds_md_status;
}

/* The block of the domain "HP" without its node id, which is in the group header. */
header report_hop_t {
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<24> queue_bytes;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
}

/* Written by int_watch.p4. */
struct source_metadata_t {
    bool   wanted;
    bit<8> max_hops;
}

#endif  /* EDGE_TYPES_P4 */
