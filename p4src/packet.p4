#ifndef PACKET_P4
#define PACKET_P4

#include "headers.p4"
#include "metadata.p4"

/*
 * The headers and metadata of a transit switch. A profile that knows more headers brings its own
 * structs of the same names, with at least the fields that its blocks use, in a file that has the
 * same guard and is included before all blocks.
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

#endif  /* PACKET_P4 */
