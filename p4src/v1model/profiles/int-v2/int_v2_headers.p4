#ifndef INT_V2_HEADERS_P4
#define INT_V2_HEADERS_P4

#include "common/headers.p4"
#include "common/edge_types.p4"
#include "int_v2_format.p4"
#include "reports/report_format.p4"

struct headers_t {
    ethernet_t      ethernet;
    /* The report around a clone, with its metadata in the order of the bits. */
    ipv4_t          report_ipv4;
    udp_t           report_udp;
    report_t        report;
    report_int_t    report_int;
    word_t          reported_interfaces;
    word_t          reported_latency;
    word_t          reported_queue;
    two_words_t     reported_ingress_time;
    two_words_t     reported_egress_time;
    two_words_t     reported_interfaces2;
    word_t          reported_utilization;
    word_t          reported_buffer;
    report_drop_t   reported_drop;
    two_words_t     reported_tx_bytes;
    word_t          reported_capacity;
    word_t          reported_queue_bytes;
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
    /* The packet as it came to egress, for a clone alone: these are never emitted. */
    ipv4_t          kept_ipv4;
    ipv6_t          kept_ipv6;
    udp_t           kept_udp;
    tcp_t           kept_tcp;
    tcp_options_t   kept_tcp_options;
    marker_t        kept_marker;
    vxlan_t         kept_vxlan;
    geneve_t        kept_geneve;
    gre_t           kept_gre;
    gre_checksum_t  kept_gre_checksum;
    gre_words_t     kept_gre_words;
    geneve_option_t kept_geneve_option;
    shim_t          kept_shim;
    int_header_t    kept_int_header;
    int_stack_t     kept_int_stack;
}

#endif  /* INT_V2_HEADERS_P4 */
