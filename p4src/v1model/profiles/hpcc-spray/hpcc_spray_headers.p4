#ifndef HPCC_SPRAY_HEADERS_P4
#define HPCC_SPRAY_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "equal_paths.p4"

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
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    equal_paths_t       paths;
}

#endif  /* HPCC_SPRAY_HEADERS_P4 */
