#ifndef IFA_HEADERS_P4
#define IFA_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* IP protocol of IFA: none is assigned; 253 is for experiments (RFC 3692). */
#ifndef IFA_PROTOCOL
#define IFA_PROTOCOL 253
#endif

/* The namespace "each hop names its own", and the name of this project's records. */
#ifndef IFA_GNS
#define IFA_GNS 0xF
#endif
#ifndef IFA_LNS
#define IFA_LNS 1
#endif

#define IFA_HOP_WORDS 8
#define IFA_HOP_BYTES 32
#define IFA_UNLIMITED_HOPS 0xFF

const bit<4> IFA_VERSION = 2;

/*
 * IFA 2.0 (draft-kumar-ippm-ifa): IP | IFA header | UDP or TCP | metadata header | records, newest
 * first | payload. The IP header has protocol IFA_PROTOCOL; the real one is in `next_header`.
 */
header ifa_t {
    bit<4> version;
    bit<4> gns;
    bit<8> next_header;
    bit<3> reserved;
    bit<1> metadata_fragment;
    bit<1> tail_stamp;
    bit<1> in_band;
    bit<1> turn_around;
    bit<1> checksum;
    bit<8> max_length;
}

/* Lengths are in words of 4 bytes. */
header ifa_metadata_t {
    bit<8> request;
    bit<8> action_vector;
    bit<8> hop_limit;
    bit<8> current_length;
}

/*
 * One record, as draft-miao-tsv-hpcc-info maps HPCC++ to IFA. Seconds wrap modulo 2^20, txBytes
 * modulo 2^32; the packet left the port `residence_ns` after the timestamp.
 */
header ifa_hop_t {
    bit<4>  lns;
    bit<20> device_id;
    bit<8>  reserved;
    bit<4>  speed;
    bit<8>  reserved2;
    bit<20> rx_seconds;
    bit<16> egress_port;
    bit<16> ingress_port;
    bit<32> rx_nanoseconds;
    bit<32> residence_ns;
    bit<32> tx_bytes;
    bit<16> reserved3;
    bit<16> queue_cells;
    bit<32> reserved4;
}


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

#endif  /* IFA_HEADERS_P4 */
