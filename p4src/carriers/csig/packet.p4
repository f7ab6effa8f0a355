/* The structs of this carrier stand for those of packet.p4, whose guard this file therefore has. */
#ifndef PACKET_P4
#define PACKET_P4

#include "headers.p4"
#include "../../metadata.p4"

struct headers_t {
    ethernet_t ethernet;
    csig_t     csig;
    ipv4_t     ipv4;
    ipv6_t     ipv6;
}

struct csig_metadata_t {
    /* Written by csig_bandwidth.p4. */
    bit<32> free_mbps;
    /* Written by csig_bucket.p4: this node's own signal of the tag's type. */
    bool    has_bucket;
    bit<5>  bucket;
    /* Written by csig_admission.p4. */
    bool    compare;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    csig_metadata_t     csig;
}

#endif  /* PACKET_P4 */
