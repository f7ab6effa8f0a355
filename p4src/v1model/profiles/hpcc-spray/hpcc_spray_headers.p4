#ifndef HPCC_SPRAY_HEADERS_P4
#define HPCC_SPRAY_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/types.p4"

/* Policies by which a switch chooses among the equal paths of a packet. */
const bit<2> SPRAY_BY_HASH = 0;
const bit<2> SPRAY_AT_RANDOM = 1;
const bit<2> SPRAY_BY_TURN = 2;
const bit<2> SPRAY_BY_QUEUE = 3;

/* Written by path_lookup.p4: the ports of the shortest paths; `count` of them are in use. */
struct equal_paths_t {
    bit<16> group;
    bit<4>  count;
    bit<3>  first;
    port_t  port_0;
    port_t  port_1;
    port_t  port_2;
    port_t  port_3;
    port_t  port_4;
    port_t  port_5;
    port_t  port_6;
    port_t  port_7;
}

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
