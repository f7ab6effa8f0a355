#ifndef TNA_PADDING_PACKET_P4
#define TNA_PADDING_PACKET_P4

#include "../../../headers.p4"
#include "../../../metadata.p4"
#include "../../../profiles/padding/headers.p4"
#include "../../../portable/metadata.p4"
#include "../../../portable/padding/padding_metadata.p4"
#include "../bridge.p4"
#include "../types.p4"

/* Records of earlier hops, which nobody reads: the hop count in binary tells which are there. */
header one_record_t {
    bit<64> record;
}

header two_records_t {
    bit<64> first;
    bit<64> second;
}

header four_records_t {
    bit<128> first;
    bit<128> second;
}

struct headers_t {
    bridge_t       bridge;
    ethernet_t     ethernet;
    ipv4_t         ipv4;
    ipv6_t         ipv6;
    udp_t          udp;
    padding_t      padding;
    four_records_t four_older;
    two_records_t  two_older;
    one_record_t   one_older;
    padding_hop_t  padding_hop;
}

struct metadata_t {
    standard_metadata_t  standard;
    l4_metadata_t        l4;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
    padding_metadata_t   padding;
    tna_metadata_t       tna;
}

#endif  /* TNA_PADDING_PACKET_P4 */
