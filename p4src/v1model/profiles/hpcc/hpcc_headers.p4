#ifndef HPCC_HEADERS_P4
#define HPCC_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * The headers and metadata of hpcc.p4. Each profile has a file <profile>_headers.p4 with structs of
 * its own, headers_t and metadata_t; its top program includes it before parsers and blocks, which
 * name the fields that they use.
 */
struct headers_t {
    ethernet_t    ethernet;
    ipv4_t        ipv4;
    ipv6_t        ipv6;
    udp_t         udp;
    tcp_t         tcp;
    tcp_options_t tcp_options;
    int_shim_t    int_shim;
    int_md_t      int_md;
    /*
     * The block of this node; older blocks stay in the payload, which a transit node never reads.
     */
    int_hop_t     int_hop;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
}

#endif  /* HPCC_HEADERS_P4 */
