#ifndef V1MODEL_HPCC_FEEDBACK_PACKET_P4
#define V1MODEL_HPCC_FEEDBACK_PACKET_P4

/* What the profile says of packets, but for its structs. */
#define HPCC_FEEDBACK_STRUCTS

#include "../../../headers.p4"
#include "../../../metadata.p4"
#include "../../../profiles/hpcc-feedback/packet.p4"
#include "../../../portable/metadata.p4"

typedef bit<32> mirror_session_t;
#include "../../../portable/hpcc-feedback/feedback_metadata.p4"

/* Those of the profile, and what portable blocks need. */
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
    @field_list(RESPONSE_FIELDS)
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    route_metadata_t     route;
    @field_list(RESPONSE_FIELDS)
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
    @field_list(RESPONSE_FIELDS)
    feedback_metadata_t  feedback;
    @field_list(RESPONSE_FIELDS)
    subject_metadata_t   subject;
    limit_metadata_t     limit;
}

#endif  /* V1MODEL_HPCC_FEEDBACK_PACKET_P4 */
