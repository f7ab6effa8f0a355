#ifndef TNA_HPCC_FEEDBACK_PACKET_P4
#define TNA_HPCC_FEEDBACK_PACKET_P4

/* What the profile says of packets, but for its structs. */
#define HPCC_FEEDBACK_STRUCTS

#include "../../../headers.p4"
#include "../../../metadata.p4"
#include "../../../profiles/hpcc-feedback/packet.p4"
#include "../../../portable/metadata.p4"
#include "../bridge.p4"
#include "../types.p4"

typedef MirrorId_t mirror_session_t;
#include "../../../portable/hpcc-feedback/feedback_metadata.p4"

const MirrorType_t MIRROR_COPY = 1;
/* Kinds of bridges, which begin longer headers. */
const bit<7> BRIDGE_OF_SUBSCRIBER = 1;
const bit<7> BRIDGE_OF_COPY = 2;

/* What ingress tells egress of a subscriber besides: Tofino 1 reads 160 bytes at egress. */
header subject_t {
    bit<8>  protocol;
    bit<16> src_port;
    bit<16> dst_port;
    bit<8>  sequence_kind;
    bit<16> flow_id;
    bit<16> generation;
    bit<64> sequence;
}

/* What a subscriber tells its copy: the 32 bytes that a mirror may put before one. */
header copy_t {
    bit<7>  kind;
    port_t  ingress_port;
    bit<7>  queue_id;
    port_t  egress_port;
    bit<32> queue_bytes;
    bit<48> timestamp_ns;
    bit<32> tx_bytes;
    bit<8>  hop_index;
    bit<8>  sequence_kind;
    bit<16> flow_id;
    bit<16> generation;
    bit<64> sequence;
}

/* Blocks of earlier hops, before the sequence number: how many there are in binary. */
header one_block_t {
    bit<128> first;
    bit<128> second;
}

header two_blocks_t {
    bit<128> first;
    bit<128> second;
    bit<128> third;
    bit<128> fourth;
}

header four_blocks_t {
    bit<128> first;
    bit<128> second;
    bit<128> third;
    bit<128> fourth;
    bit<128> fifth;
    bit<128> sixth;
    bit<128> seventh;
    bit<128> eighth;
}

struct headers_t {
    bridge_t          bridge;
    subject_t         subject;
    copy_t            copy;
    ethernet_t        ethernet;
    ipv4_t            ipv4;
    ipv6_t            ipv6;
    udp_t             udp;
    tcp_t             tcp;
    int_shim_t        int_shim;
    int_md_t          int_md;
    int_hop_t         int_hop;
    four_blocks_t     four_older;
    two_blocks_t      two_older;
    one_block_t       one_older;
    hpcc_transport_t  hpcc;
    bth_t             bth;
    switch_response_t response;
    int_hop_t         response_hop;
}

/* Values that a deparser takes from metadata only: queue and port, and UDP as a pseudo-header. */
struct copy_metadata_t {
    bit<16> place;
    bit<16> protocol;
}

struct metadata_t {
    standard_metadata_t  standard;
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    route_metadata_t     route;
    port_metadata_t      port;
    int_metadata_t       telemetry;
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    room_metadata_t      room;
    feedback_metadata_t  feedback;
    subject_metadata_t   subject;
    limit_metadata_t     limit;
    copy_metadata_t      copy;
    tna_metadata_t       tna;
}

#endif  /* TNA_HPCC_FEEDBACK_PACKET_P4 */
