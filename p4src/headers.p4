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

/* RFC 768. */
header udp_t {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> length;
    bit<16> checksum;
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

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
    udp_t      udp;
    int_shim_t int_shim;
    int_md_t   int_md;
    /* The block of this node; older blocks stay in the payload, which a transit node never reads. */
    int_hop_t  int_hop;
}

/* The first two fields of TCP and UDP alike, for hashing only. */
header l4_ports_t {
    bit<16> src_port;
    bit<16> dst_port;
}

#endif  /* HEADERS_P4 */
