#ifndef PACKET_P4
#define PACKET_P4

#include "../headers.p4"
#include "../metadata.p4"
#include "headers.p4"
#include "metadata.p4"

/* The headers and metadata of a switch with fast feedback; see ../packet.p4. */
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

#endif  /* PACKET_P4 */
