/* The structs of this carrier stand for those of packet.p4, whose guard this file therefore has. */
#ifndef PACKET_P4
#define PACKET_P4

#include "headers.p4"
#include "../../metadata.p4"

struct headers_t {
    ethernet_t        ethernet;
    ipv4_t            ipv4;
    ipv6_t            ipv6;
    ifa_t             ifa;
    udp_t             udp;
    tcp_t             tcp;
    tcp_options_t     tcp_options;
    ifa_metadata_t    ifa_metadata;
    /* The record of this node; older ones stay in the payload. */
    ifa_hop_t         ifa_hop;
}

struct ifa_flow_metadata_t {
    /* Written by the parser: the protocol of the flow, whatever the IP header says. */
    bit<8> protocol;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    ifa_flow_metadata_t flow;
}

#endif  /* PACKET_P4 */
