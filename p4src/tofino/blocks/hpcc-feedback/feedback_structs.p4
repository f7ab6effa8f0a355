#ifndef TOFINO_FEEDBACK_STRUCTS_P4
#define TOFINO_FEEDBACK_STRUCTS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "feedback_metadata.p4"
#include "older_blocks.p4"

/* As transit_structs.p4, with what fast feedback needs, and what a target knows for its copies. */
struct headers_t {
    FRONT_HEADERS
    ethernet_t        ethernet;
    ipv4_t            ipv4;
    ipv6_t            ipv6;
    udp_t             udp;
    tcp_t             tcp;
    OPTION_HEADERS
    int_shim_t        int_shim;
    int_md_t          int_md;
    int_hop_t         int_hop;
    four_blocks_t     four_older;
    two_blocks_t      two_older;
    one_block_t       one_older;
    hpcc_transport_t  hpcc;
    bth_t             bth;
    switch_response_t response;
    int_hop_t         response_hop;
}

struct metadata_t {
    @field_list(RESPONSE_FIELDS)
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    arrival_metadata_t   arrival;
    route_metadata_t     route;
    @field_list(RESPONSE_FIELDS)
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    headroom_metadata_t      room;
    @field_list(RESPONSE_FIELDS)
    feedback_metadata_t  feedback;
    @field_list(RESPONSE_FIELDS)
    subject_metadata_t   subject;
    limit_metadata_t     limit;
    copy_metadata_t      copy;
    target_metadata_t    target;
}

#endif  /* TOFINO_FEEDBACK_STRUCTS_P4 */
