#ifndef TOFINO_TRIM_STRUCTS_P4
#define TOFINO_TRIM_STRUCTS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "trim_metadata.p4"

/* As transit_structs.p4, with what packets may be cut to. */
struct headers_t {
    bridge_t   bridge;
    ethernet_t ethernet;
    ipv4_t     ipv4;
    ipv6_t     ipv6;
    udp_t      udp;
    tcp_t      tcp;
    OPTION_HEADERS
    int_shim_t int_shim;
    int_md_t   int_md;
    int_hop_t  int_hop;
}

struct metadata_t {
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    arrival_metadata_t   arrival;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    headroom_metadata_t      room;
    trim_metadata_t      trim;
    target_metadata_t    target;
}

#endif  /* TOFINO_TRIM_STRUCTS_P4 */
