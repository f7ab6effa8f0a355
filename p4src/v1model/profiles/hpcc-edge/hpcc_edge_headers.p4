#ifndef HPCC_EDGE_HEADERS_P4
#define HPCC_EDGE_HEADERS_P4

#include "common/headers.p4"
#include "common/edge_types.p4"

/* Number of the field list that a clone for a report keeps. */
#define REPORT_FIELDS 1

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
    /* Telemetry that the sink took out, for the clone alone: these are never emitted. */
    int_shim_t    taken_shim;
    int_md_t      taken_md;
    int_stack_t   taken_stack;
}

#endif  /* HPCC_EDGE_HEADERS_P4 */
