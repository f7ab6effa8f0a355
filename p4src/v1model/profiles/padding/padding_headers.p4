#ifndef PADDING_HEADERS_P4
#define PADDING_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/padding_format.p4"

struct headers_t {
    ethernet_t        ethernet;
    ipv4_t            ipv4;
    ipv6_t            ipv6;
    udp_t             udp;
    padding_t         padding;
    padding_records_t padding_older;
    padding_hop_t     padding_hop;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
}

#endif  /* PADDING_HEADERS_P4 */
