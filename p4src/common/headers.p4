#ifndef HEADERS_P4
#define HEADERS_P4

#include "types.p4"

header ethernet_t {
    mac_t   dst_addr;
    mac_t   src_addr;
    bit<16> ether_type;
}

/* RFC 791 section 3.1, without options. */
header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<6>  dscp;
    bit<2>  ecn;
    bit<16> total_len;
    bit<16> identification;
    bit<3>  flags;
    bit<13> frag_offset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> checksum;
    ipv4_addr_t src_addr;
    ipv4_addr_t dst_addr;
}

/* RFC 8200 section 3. The traffic class is divided as RFC 2474 and RFC 3168 do. */
header ipv6_t {
    bit<4>  version;
    bit<6>  dscp;
    bit<2>  ecn;
    bit<20> flow_label;
    bit<16> payload_length;
    bit<8>  next_header;
    bit<8>  hop_limit;
    ipv6_addr_t src_addr;
    ipv6_addr_t dst_addr;
}

/* RFC 768. */
header udp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> length;
    bit<16> checksum;
}

/* RFC 9293 section 3.1. */
header tcp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> sequence;
    bit<32> acknowledgement;
    bit<4>  data_offset;
    bit<4>  reserved;
    bit<8>  flags;
    bit<16> window;
    bit<16> checksum;
    bit<16> urgent;
}

/* Up to 10 words, which only have to be passed over: INT follows them. */
header tcp_options_t {
    varbit<320> words;
}

/* INT v2.1 shim for TCP/UDP, INT indicated by DSCP (NPT 0). Length: words after the shim. */
header int_shim_t {
    bit<4>  type;
    bit<2>  npt;
    bit<2>  reserved;
    bit<8>  length;
    bit<8>  reserved2;
    bit<6>  original_dscp;
    bit<2>  reserved3;
}

/* INT-MD metadata header v2.1. Transit nodes change e, m, remaining_hops and ds_flags only. */
header int_md_t {
    bit<4>  version;
    bit<1>  d;
    bit<1>  e;
    bit<1>  m;
    bit<12> reserved;
    bit<5>  hop_words;
    bit<8>  remaining_hops;
    bit<16> instructions;
    bit<16> domain_id;
    bit<16> ds_instructions;
    bit<16> ds_flags;
}

/* One block of the INT domain "HP". Both counters wrap modulo 2^64. */
header int_hop_t {
    bit<32> node_id;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
    bit<24> queue_bytes;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
}

/* All older blocks, newest first, for nodes that remove or pass over them. */
header int_stack_t {
    varbit<8064> words;
}

#endif  /* HEADERS_P4 */
