#ifndef HPCC_EDGE_PACKET_P4
#define HPCC_EDGE_PACKET_P4

#include "../../headers.p4"
#include "../../metadata.p4"

/* Shim and INT-MD header: what a source adds, and a sink removes besides the stack. */
const bit<16> INT_FIXED_BYTES = 16;

/* Why an INT source left a packet alone: index into the counter `egress.source.refused`. */
const bit<32> REFUSED_MTU = 0;
const bit<32> REFUSED_NO_PORT_RECORD = 1;
const bit<32> REFUSED_BAD_LENGTH = 2;
const bit<32> REFUSED_CAUSES = 3;

/* Of a Telemetry Report: group header and first word; second and third word with the own hop. */
const bit<16> REPORT_BYTES = 12;
const bit<16> REPORT_HOP_BYTES = 36;

/* Telemetry Report v2.0: the group header and the first word of one individual report. */
header report_t {
    bit<4>  version;
    bit<6>  hw_id;
    bit<22> sequence;
    bit<32> node_id;
    bit<4>  report_type;
    bit<4>  inner_type;
    /* Words after this one; 255 means to the end of the datagram. */
    bit<8>  report_length;
    /* Words of metadata. */
    bit<8>  md_length;
    bit<1>  dropped;
    bit<1>  congested;
    bit<1>  tracked;
    bit<1>  intermediate;
    bit<4>  reserved;
}

/* Which metadata follow, of report type 1 (INT). */
header report_int_t {
    bit<16> md_bits;
    bit<16> domain_id;
    bit<16> ds_md_bits;
    bit<16> ds_md_status;
}

/* The block of the domain "HP" without its node id, which is in the group header. */
header report_hop_t {
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<24> queue_bytes;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
}

/* Number of the field list that a clone for a report keeps. */
#define REPORT_FIELDS 1

/* Written by int_watch.p4. */
struct source_metadata_t {
    bool   wanted;
    bit<8> max_hops;
}

/* Written by int_sink.p4. The lengths, DSCP and checksum are those with telemetry. */
struct sink_metadata_t {
    bool    has_hop;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<6>  dscp;
    bit<16> ip_length;
    bit<16> udp_length;
    bit<16> checksum;
}

/* The headers and metadata of an edge switch. */
struct headers_t {
    ethernet_t    ethernet;
    /* The report around a clone. */
    ipv4_t        report_ipv4;
    udp_t         report_udp;
    report_t      report;
    report_int_t  report_int;
    report_hop_t  report_hop;
    ipv4_t        ipv4;
    ipv6_t        ipv6;
    udp_t         udp;
    tcp_t         tcp;
    tcp_options_t tcp_options;
    int_shim_t    int_shim;
    int_md_t      int_md;
    int_hop_t     int_hop;
    int_stack_t   int_stack;
    /* What the sink took out, for the clone alone: these are never emitted. */
    int_shim_t    taken_shim;
    int_md_t      taken_md;
    int_stack_t   taken_stack;
}

struct metadata_t {
    l4_metadata_t       l4;
    deep_metadata_t     deep;
    source_metadata_t   source;
    route_metadata_t    route;
    @field_list(REPORT_FIELDS)
    port_metadata_t     port;
    int_metadata_t      telemetry;
    @field_list(REPORT_FIELDS)
    snapshot_metadata_t snapshot;
    @field_list(REPORT_FIELDS)
    sink_metadata_t     sink;
}

#endif  /* HPCC_EDGE_PACKET_P4 */
