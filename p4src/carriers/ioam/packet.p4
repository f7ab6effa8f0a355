/* The structs of this carrier stand for those of packet.p4, whose guard this file therefore has. */
#ifndef PACKET_P4
#define PACKET_P4

#include "headers.p4"
#include "../../metadata.p4"

/* The node data, one field per bit of the trace type. */
struct ioam_data_t {
    ioam_node_t            node;
    ioam_interfaces_t      interfaces;
    ioam_word_t            seconds;
    ioam_word_t            fraction;
    ioam_word_t            transit_delay;
    ioam_word_t            namespace_data;
    ioam_word_t            queue_depth;
    ioam_word_t            checksum_complement;
    ioam_wide_node_t       wide_node;
    ioam_wide_interfaces_t wide_interfaces;
    ioam_wide_word_t       wide_namespace_data;
    ioam_word_t            buffer_occupancy;
    ioam_word_t            tx_bytes;
    ioam_word_t[9]         undefined;
    ioam_opaque_t          opaque;
}

struct headers_t {
    ethernet_t                          ethernet;
    ipv4_t                              ipv4;
    ipv6_t                              ipv6;
    hop_by_hop_t                        hop_by_hop;
    ipv6_option_t[IOAM_LEADING_OPTIONS] leading;
    ipv6_pad2_t                         pad2;
    ioam_option_t                       ioam_option;
    ioam_trace_t                        ioam_trace;
    ioam_fresh_t                        ioam_fresh;
    ioam_spare_t                        ioam_spare;
    ioam_slot_t                         ioam_slot;
    ioam_data_t                         ioam_data;
    ioam_rest_t                         ioam_rest;
    /* The header that came, when this node has put another one around it. */
    ipv6_t                              inner_ipv6;
}

struct ioam_metadata_t {
    /* Written by the parser. The protocol behind the hop-by-hop header. */
    bit<8>  flow_protocol;
    /* Bytes of the hop-by-hop header behind what is parsed; negative (top
     * bit) when an option reaches beyond its end. */
    bit<16> left_bytes;
    /* The same where the IOAM option begins. */
    bit<16> option_left_bytes;
    /* What the options before the trace ask of nodes that do not know them, taken together. */
    bit<2>  unknown_option_action;
    /* Words of this node's data, and words that stay free; negative when there is no room. */
    bit<16> slot_words;
    bit<16> spare_words;
    /* Written by ioam_source.p4: this node has allocated the trace. */
    bool    is_source;
    /* Written by ioam_namespace.p4. */
    bool    is_enabled;
    bool    is_known;
    bool    is_hpcc;
    bit<32> namespace_data;
    bit<64> wide_namespace_data;
    /* Written by ioam_admission.p4. */
    bool    fill;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    ioam_metadata_t     ioam;
}

#endif  /* PACKET_P4 */
