#ifndef PADDING_PACKET_P4
#define PADDING_PACKET_P4

#include "../../headers.p4"
#include "../../metadata.p4"

/* DSCP that marks packets with the padding: the format has no mark of its own. */
#ifndef PADDING_DSCP
#define PADDING_DSCP 0x17
#endif

/* The hop count has four bits. */
#define PADDING_MAX_HOPS 15
#define PADDING_HOP_BYTES 8
#define PADDING_HOP_BITS 64
#define PADDING_MAX_RECORD_BITS 960

/*
 * HPCC's own telemetry (SIGCOMM 2019, section 4.1, figure 7), between the UDP header and the
 * transport, big-endian, oldest record first:
 *
 *   | nHop 4 | pathID 12 |  then nHop times  | B 4 | TS 24 | txBytes 20 | qLen 16 |
 */
header padding_t {
    bit<4>  hop_count;
    bit<12> path_id;
}

/* What earlier hops wrote; kept together because nobody here reads it. */
header padding_records_t {
    varbit<PADDING_MAX_RECORD_BITS> records;
}

/* TS is in ns, txBytes in 128 bytes, qLen in 80 bytes; TS and txBytes wrap. */
header padding_hop_t {
    bit<4>  speed;
    bit<24> timestamp_ns;
    bit<20> tx_units;
    bit<16> queue_units;
}


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

#endif  /* PADDING_PACKET_P4 */
