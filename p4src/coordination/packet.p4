#ifndef PACKET_P4
#define PACKET_P4

#include "../headers.p4"
#include "../metadata.p4"
#include "headers.p4"
#include "metadata.p4"

/* The headers and metadata of a switch with coordination; see ../packet.p4. */
struct headers_t {
    ethernet_t     ethernet;
    ccm_tag_t      ccm_tag;
    ipv4_t         ipv4;
    ipv6_t         ipv6;
    udp_t          udp;
    tcp_t          tcp;
    tcp_options_t  tcp_options;
    int_shim_t     int_shim;
    int_md_t       int_md;
    int_hop_t      int_hop;
    notification_t notification;
}

struct metadata_t {
    l4_metadata_t         l4;
    deep_metadata_t       deep;
    route_metadata_t      route;
    port_metadata_t       port;
    int_metadata_t        telemetry;
    snapshot_metadata_t   snapshot;
    tag_metadata_t        tag;
    flow_metadata_t       flow;
    paths_metadata_t      paths;
    pin_metadata_t        pin;
    congestion_metadata_t congestion;
    /* The packet is a notification of this switch, whose UDP checksum has to be made. */
    bool                  is_own_notification;
    @field_list(NOTIFICATION_FIELDS)
    notice_metadata_t     notice;
}

#endif  /* PACKET_P4 */
