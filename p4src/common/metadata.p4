#ifndef METADATA_P4
#define METADATA_P4

/* Written by the parser, see l4_parser.p4; zero where the packet has none of it. */
struct l4_metadata_t {
    /* The ports that ECMP hashes. */
    bit<16> src_port;
    bit<16> dst_port;
    /* IP header fields; the protocol is PROTOCOL_NONE where nothing can be read behind it. */
    bit<6>  dscp;
    bit<8>  protocol;
}

/* Written by deep_parser.p4: it came to the end of TCP or UDP, and of INT if there is any. */
struct deep_metadata_t {
    bool is_complete;
}

/* Written by l3_route.p4. */
struct route_metadata_t {
    /* Digest of the 5-tuple without its ports, the same in every switch. */
    bit<32> flow;
    /* The whole 5-tuple mixed with the seed of this switch. */
    bit<16> ecmp_choice;
    bool    found;
}

/* Written by port_telemetry.p4 from the controller's record of the egress port. */
struct port_metadata_t {
    bool    known;
    bit<32> node_id;
    bit<32> capacity_mbps;
    bit<16> queue_unit_bytes;
    bit<16> clock_unit_ns;
    bit<16> mtu;
    bit<16> tx_unit_bytes;
}

/* Written by int_admission.p4. */
struct int_metadata_t {
    bool    push;
    /* Change of the flags' 16-bit word, for the checksum. */
    bit<32> flag_sum;
}

/* Written by telemetry_snapshot.p4: all inputs of HPCC++ at one instant. */
struct snapshot_metadata_t {
    bit<64> timestamp_ns;
    bit<24> queue_bytes;
    bit<64> tx_bytes;
}

#endif  /* METADATA_P4 */
