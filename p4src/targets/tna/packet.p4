#ifndef TNA_PACKET_P4
#define TNA_PACKET_P4

#include "../../headers.p4"
#include "../../metadata.p4"
#include "../../portable/metadata.p4"
#include "bridge.p4"
#include "types.p4"

/* The headers and metadata of hpcc.p4; other programs have theirs in folders of their names. */
struct headers_t {
    bridge_t      bridge;
    ethernet_t    ethernet;
    ipv4_t        ipv4;
    ipv6_t        ipv6;
    udp_t         udp;
    tcp_t         tcp;
    int_shim_t    int_shim;
    int_md_t      int_md;
    int_hop_t     int_hop;
}

struct metadata_t {
    standard_metadata_t  standard;
    l4_metadata_t        l4;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
    tna_metadata_t       tna;
}

#endif  /* TNA_PACKET_P4 */
