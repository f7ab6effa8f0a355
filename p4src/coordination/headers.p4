#ifndef COORDINATION_HEADERS_P4
#define COORDINATION_HEADERS_P4

#include "../types.p4"

/* Coordination tag without INT; its TPID is the EtherType before it. */
header ccm_tag_t {
    bit<4>  version;
    bit<1>  cc;
    bit<1>  ar_valid;
    bit<10> reserved;
    bit<32> ar_id;
    bit<16> ether_type;
}

/* Notification of a flow over IPv4, with its code. */
header notification_t {
    bit<4>  version;
    bit<4>  type;
    bit<8>  flags;
    bit<8>  words;
    bit<8>  key_id;
    bit<32> sender_node;
    bit<64> sequence;
    bit<32> ar_id;
    bit<8>  protocol;
    bit<8>  traffic_class;
    bit<8>  queue_id;
    bit<8>  severity;
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> discriminator;
    bit<32> queue_bytes;
    bit<32> time_ns;
    ipv4_addr_t src_addr;
    ipv4_addr_t dst_addr;
    /* SipHash-2-4 fills half of the code. */
    bit<64> mac;
    bit<64> mac_rest;
}

#endif  /* COORDINATION_HEADERS_P4 */
