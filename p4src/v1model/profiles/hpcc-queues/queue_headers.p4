#ifndef QUEUE_HEADERS_P4
#define QUEUE_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* The wide set of instructions of the domain "HP". */
#ifndef INT_WIDE_INSTRUCTIONS
#define INT_WIDE_INSTRUCTIONS 0xF400
#endif
#ifndef INT_WIDE_DS_INSTRUCTIONS
#define INT_WIDE_DS_INSTRUCTIONS 0xE000
#endif
#ifndef INT_WIDE_HOP_WORDS
#define INT_WIDE_HOP_WORDS 10
#endif

/* v1model has 3 bits of priority; bmv2 needs --priority-queues 8 to have as many queues. */
#ifndef QUEUE_BITS
#define QUEUE_BITS 3
#endif
#ifndef QUEUE_COUNT
#define QUEUE_COUNT 4096
#endif

/*
 * The wide block of the INT domain "HP", for ports with several queues: hop latency (instruction
 * bit 2) tells how long the packet waited in its own queue, port_bytes (DS bit 2) how much waits in
 * all queues of the port.
 */
header int_wide_hop_t {
    bit<32> node_id;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<32> sojourn_ns;
    bit<8>  queue_id;
    bit<24> queue_bytes;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
    bit<32> port_bytes;
}

struct queue_metadata_t {
    /* Written by queue_lengths.p4: what the packet adds to its queue. */
    bit<32> arrived_bytes;
    /* Written by queue_lengths.p4: what it leaves behind, and how long it waited. */
    bit<32> own_bytes;
    bit<32> port_bytes;
    bit<32> sojourn_ns;
    /* Written by int_wide.p4. */
    bool    push_wide;
}

/* The headers of a switch with several queues per port. */
struct headers_t {
    ethernet_t     ethernet;
    ipv4_t         ipv4;
    ipv6_t         ipv6;
    udp_t          udp;
    tcp_t          tcp;
    tcp_options_t  tcp_options;
    int_shim_t     int_shim;
    int_md_t       int_md;
    int_hop_t      int_hop;
    int_wide_hop_t int_wide_hop;
}

#endif  /* QUEUE_HEADERS_P4 */
