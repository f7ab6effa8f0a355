#ifndef PACKET_P4
#define PACKET_P4

#include "../headers.p4"
#include "../metadata.p4"
#include "headers.p4"
#include "metadata.p4"

/* The headers and metadata of an edge switch; see ../packet.p4. */
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

#endif  /* PACKET_P4 */
