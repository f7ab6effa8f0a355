#ifndef HPCC_USID_HEADERS_P4
#define HPCC_USID_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/types.p4"

/* A uSID of this switch that a destination begins with: of the node, or of an adjacency. */
const bit<2> USID_NONE = 0;
const bit<2> USID_NODE = 1;
const bit<2> USID_ADJACENCY = 2;

/* First bits of uSIDs that mean something to one switch alone: 0xe000 and above. */
const bit<3> USID_LOCAL = 7;

/* The packet's uSIDs end at this switch, which is no host. Index into `ingress.drops`. */
const bit<32> DROP_END_OF_CARRIER = DROP_CAUSES;
const bit<32> USID_DROP_CAUSES = DROP_CAUSES + 1;

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

/* Written by usid_end.p4. */
struct usid_metadata_t {
    /* The uSID of this switch that the destination begins with, one of USID_NONE and so on. */
    bit<2>  kind;
    /* Why the packet is dropped, or NOT_REFUSED. */
    bit<32> refusal;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    usid_metadata_t     usid;
}

#endif  /* HPCC_USID_HEADERS_P4 */
