#ifndef INT_V2_METADATA_P4
#define INT_V2_METADATA_P4

#include "common/metadata.p4"
#include "int_v2_headers.p4"

/* Written by the parser: how INT was found, and whether all of it could be read. */
struct found_metadata_t {
    bit<8>  carrier;
    bool    is_complete;
    /* Bytes behind the IP header. */
    bit<16> ip_payload;
}

/* Written by flow_watch.p4: what an INT source does with the packet. */
struct watch_metadata_t {
    bool    wanted;
    bit<4>  type;
    bit<8>  carrier;
    bit<1>  discard;
    bit<5>  hop_words;
    bit<8>  max_hops;
    bit<16> instructions;
    bit<16> domain_id;
    bit<16> ds_instructions;
    /* One of so many packets of the entry, counted in this slot. */
    bit<32> interval;
    bit<32> slot;
}

/* Written by int_extent.p4. */
struct extent_metadata_t {
    bool    fits;
    bit<32> ip_bytes;
    bit<8>  int_words;
}

/* Written by node_state.p4: what this node can tell of the packet. */
struct node_metadata_t {
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<32> latency_ns;
    bit<24> queue_bytes24;
    bit<32> queue_bytes;
    bit<64> ingress_time;
    bit<64> egress_time;
    bit<32> ingress_interface2;
    bit<32> egress_interface2;
    bit<32> utilization;
    bit<32> buffer;
    bit<64> tx_bytes;
}

/* Written by hop_admission.p4. */
struct push_metadata_t {
    bool   wanted;
    /* Words of all ones, and whether the DS metadata of this domain follow them. */
    bit<8> ones;
    bool   has_ds;
    bool   knows_domain;
}

/* A change of the packet: sum of the words that came, and the bytes it grew by. */
struct change_metadata_t {
    bit<32> sum;
    bit<16> bytes;
}

/* Written on the way to a report: why there is one, and what it tells. */
struct report_metadata_t {
    bool    configured;
    bool    reports_queue;
    bit<32> session;
    bit<8>  window_shift;
    bit<8>  latency_shift;
    /* F, Q and D. */
    bool    tracked;
    bool    congested;
    bool    dropped;
    bit<8>  drop_reason;
    bit<16> instructions;
    bit<16> domain_id;
    bit<16> ds_instructions;
}

struct metadata_t {
    l4_metadata_t     l4;
    route_metadata_t  route;
    @field_list(REPORT_FIELDS)
    port_metadata_t   port;
    found_metadata_t  found;
    watch_metadata_t  watch;
    extent_metadata_t extent;
    @field_list(REPORT_FIELDS)
    node_metadata_t   node;
    push_metadata_t   push;
    change_metadata_t change;
    @field_list(REPORT_FIELDS)
    report_metadata_t report;
    /* Bytes of the frame as it leaves. */
    bit<32>           frame_bytes;
}

#endif  /* INT_V2_METADATA_P4 */
