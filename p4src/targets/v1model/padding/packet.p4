#ifndef V1MODEL_PADDING_PACKET_P4
#define V1MODEL_PADDING_PACKET_P4

#include "../../../headers.p4"
#include "../../../metadata.p4"
#include "../../../profiles/padding/headers.p4"
#include "../../../portable/metadata.p4"
#include "../../../portable/padding/padding_metadata.p4"

/* Those of the profile, and what portable blocks need. */
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
    l4_metadata_t        l4;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
    padding_metadata_t   padding;
}

#endif  /* V1MODEL_PADDING_PACKET_P4 */
