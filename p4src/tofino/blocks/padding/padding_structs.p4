#ifndef TOFINO_PADDING_STRUCTS_P4
#define TOFINO_PADDING_STRUCTS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/padding_format.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "padding_metadata.p4"
#include "padding_records.p4"

/* As transit_structs.p4, with the padding instead of INT; `OPTION_HEADERS` are more records. */
struct headers_t {
    FRONT_HEADERS
    ethernet_t     ethernet;
    ipv4_t         ipv4;
    ipv6_t         ipv6;
    udp_t          udp;
    padding_t      padding;
    OPTION_HEADERS
    four_records_t four_older;
    two_records_t  two_older;
    one_record_t   one_older;
    padding_hop_t  padding_hop;
}

struct metadata_t {
    l4_metadata_t        l4;
    arrival_metadata_t   arrival;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    headroom_metadata_t      room;
    padding_metadata_t   padding;
    target_metadata_t    target;
}

#endif  /* TOFINO_PADDING_STRUCTS_P4 */
