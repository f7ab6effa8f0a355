#ifndef EDGE_HEADERS_P4
#define EDGE_HEADERS_P4

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

#endif  /* EDGE_HEADERS_P4 */
