#ifndef TNA_PACKET_P4
#define TNA_PACKET_P4

#include "../../headers.p4"
#include "../../metadata.p4"
#include "../../portable/metadata.p4"

/* What ingress tells egress; it stands before Ethernet inside the switch. */
header bridge_t {
    @padding bit<7> reserved;
    port_t ingress_port;
}

const bit<32> BRIDGE_BYTES = 2;
/* The frame check sequence, which the length that egress sees is taken to include. */
const bit<32> FRAME_CHECK_BYTES = 4;

/* The name under which blocks know the port, and what only Tofino's way of computing needs. */
struct standard_metadata_t {
    port_t egress_port;
}

struct tna_metadata_t {
    /* Ones' complement sums of all that stays as it came. */
    bit<16> ipv4_rest;
    bit<16> l4_rest;
    bit<16> pushed_bytes;
    bit<1>  bad_checksum;
    bit<1>  renews_udp;
    bit<1>  renews_tcp;
    bit<8>  drop_cause;
}

struct headers_t {
    bridge_t      bridge;
    ethernet_t    ethernet;
    ipv4_t        ipv4;
    ipv6_t        ipv6;
    udp_t         udp;
    tcp_t         tcp;
    int_shim_t    int_shim;
    int_md_t      int_md;
    int_hop_t     int_hop;
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
    tna_metadata_t       tna;
}

#endif  /* TNA_PACKET_P4 */
