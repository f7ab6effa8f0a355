#ifndef HPCC_RELATIVE_HEADERS_P4
#define HPCC_RELATIVE_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* Written by relative_scale.p4. */
struct relative_metadata_t {
    /* The nominal capacity over that of the link, in units of 2^-16. */
    bit<32> factor;
}

/* The headers and metadata of a switch that shows ratios. */
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
    relative_metadata_t relative;
}

#endif  /* HPCC_RELATIVE_HEADERS_P4 */
