#ifndef INT_V2_HEADERS_P4
#define INT_V2_HEADERS_P4

#include "common/headers.p4"
#include "int_v2_format.p4"

struct headers_t {
    ethernet_t      ethernet;
    ipv4_t          ipv4;
    ipv6_t          ipv6;
    udp_t           udp;
    tcp_t           tcp;
    tcp_options_t   tcp_options;
    marker_t        marker;
    vxlan_t         vxlan;
    geneve_t        geneve;
    gre_t           gre;
    gre_checksum_t  gre_checksum;
    gre_words_t     gre_words;
    geneve_option_t geneve_option;
    shim_t          shim;
    int_header_t    int_header;
    /* The own block, in the order of the instructions. */
    word_t          own_node_id;
    word_t          own_interfaces;
    word_t          own_latency;
    word_t          own_queue;
    two_words_t     own_ingress_time;
    two_words_t     own_egress_time;
    two_words_t     own_interfaces2;
    word_t          own_utilization;
    word_t          own_buffer;
    ones1_t         own_ones1;
    ones2_t         own_ones2;
    ones4_t         own_ones4;
    ones8_t         own_ones8;
    ones16_t        own_ones16;
    two_words_t     own_tx_bytes;
    word_t          own_capacity;
    word_t          own_queue_bytes;
    word_t          own_complement;
    int_stack_t     int_stack;
    /* Headers of the packet that an INT source has put its own in front of. */
    ipv4_t          inner_ipv4;
    ipv6_t          inner_ipv6;
    udp_t           inner_udp;
    tcp_t           inner_tcp;
    tcp_options_t   inner_tcp_options;
}

#endif  /* INT_V2_HEADERS_P4 */
