#ifndef HPCC_FEEDBACK_SIGNED_HEADERS_P4
#define HPCC_FEEDBACK_SIGNED_HEADERS_P4

#include "common/feedback_format.p4"

/* Flag of a switch response: a trailer follows its body. */
const bit<8> RESPONSE_SIGNED = 0x10;

const bit<16> SIGNATURE_BYTES = 28;

/* Signature of a response, as of other feedback of the transport (docs/wire-formats.md). */
header signature_t {
    bit<8>  key_id;
    bit<24> reserved;
    bit<64> sequence;
    /* SipHash-2-4 fills half of the code. */
    bit<64> mac;
    bit<64> mac_rest;
}

/* As that of hpcc_feedback_headers.p4, whose blocks write it. */
struct feedback_metadata_t {
    bool    to_receiver;
    bit<6>  dscp;
    bit<8>  hop_index;
    bit<8>  protocol;
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
}

/* Those of fast feedback, and what signs its responses. */
struct headers_t {
    ethernet_t        ethernet;
    ipv4_t            ipv4;
    ipv6_t            ipv6;
    udp_t             udp;
    tcp_t             tcp;
    tcp_options_t     tcp_options;
    int_shim_t        int_shim;
    int_md_t          int_md;
    int_hop_t         int_hop;
    int_stack_t       int_stack;
    hpcc_transport_t  hpcc;
    bth_t             bth;
    switch_response_t response;
    int_hop_t         response_hop;
    signature_t       signature;
}

struct metadata_t {
    l4_metadata_t       l4;
    deep_metadata_t     deep;
    route_metadata_t    route;
    @field_list(RESPONSE_FIELDS)
    port_metadata_t     port;
    int_metadata_t      telemetry;
    @field_list(RESPONSE_FIELDS)
    snapshot_metadata_t snapshot;
    @field_list(RESPONSE_FIELDS)
    feedback_metadata_t feedback;
}

#endif  /* HPCC_FEEDBACK_SIGNED_HEADERS_P4 */
