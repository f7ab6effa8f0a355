#ifndef V1MODEL_PACKET_P4
#define V1MODEL_PACKET_P4

#include "../../headers.p4"
#include "../../metadata.p4"
#include "../../portable/metadata.p4"

/* Those of hpcc.p4, and what portable blocks need. */
struct headers_t {
    ethernet_t    ethernet;
    ipv4_t        ipv4;
    ipv6_t        ipv6;
    udp_t         udp;
    tcp_t         tcp;
    tcp_options_t tcp_options;
    int_shim_t    int_shim;
    int_md_t      int_md;
    int_hop_t     int_hop;
}

struct metadata_t {
    l4_metadata_t        l4;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
}

#endif  /* V1MODEL_PACKET_P4 */
