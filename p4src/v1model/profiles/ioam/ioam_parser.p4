#ifndef IOAM_PARSER_P4
#define IOAM_PARSER_P4

#include "ioam_headers.p4"
#include "common/l4_parser.p4"
#include "nsh_parser.p4"

/*
 * Ethernet / IPv4 or IPv6 / hop-by-hop options up to the first pre-allocated trace / the trace, cut
 * at the slot of this node / the ports of TCP and UDP, for hashing only. Whether lengths agree is
 * for the admission to say: what is parsed here leaves as it came unless the slot is filled.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    port_parser() ports;
    nsh_parser() nsh;

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_NSH: parse_nsh;
            default: parse_ip;
        }
    }

    state parse_nsh {
        nsh.apply(packet, hdr, meta);
        transition accept;
    }

    state parse_ip {
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        meta.ioam.flow_protocol = meta.l4.protocol;
        transition select(meta.l4.protocol, hdr.ipv6.isValid()) {
            (PROTOCOL_UDP, _): parse_ports;
            (PROTOCOL_TCP, _): parse_ports;
            (IPV6_HOP_BY_HOP, true): parse_hop_by_hop;
            default: accept;
        }
    }

    state parse_hop_by_hop {
        packet.extract(hdr.hop_by_hop);
        meta.ioam.flow_protocol = hdr.hop_by_hop.next_header;
        meta.ioam.left_bytes = ((bit<16>)hdr.hop_by_hop.length << 3) + 6;
        transition parse_options;
    }

    state parse_options {
        transition select(meta.ioam.left_bytes) {
            0: parse_upper_layer;
            0x8000 &&& 0x8000: accept;
            default: parse_option;
        }
    }

    state parse_option {
        transition select(packet.lookahead<bit<8>>()) {
            IPV6_PAD1: parse_pad1;
            IPV6_IOAM_MUTABLE: parse_ioam;
            IPV6_IOAM: parse_unchanging_ioam;
            default: parse_other_option;
        }
    }

    state parse_pad1 {
        packet.extract(hdr.leading.next, 8);
        meta.ioam.left_bytes = meta.ioam.left_bytes - 1;
        transition parse_options;
    }

    state parse_other_option {
        bit<16> type_and_length = packet.lookahead<bit<16>>();
        bit<16> option_bytes = (bit<16>)type_and_length[7:0] + 2;
        packet.extract(hdr.leading.next, (bit<32>)option_bytes << 3);
        meta.ioam.unknown_option_action =
            meta.ioam.unknown_option_action | type_and_length[15:14];
        meta.ioam.left_bytes = meta.ioam.left_bytes - option_bytes;
        transition parse_options;
    }

    state parse_unchanging_ioam {
        bit<32> head = packet.lookahead<bit<32>>();
        transition select(head[7:0], head[23:16]) {
            (_, 0 .. IOAM_DEX_BYTES - 1): parse_other_option;
            (IOAM_DIRECT_EXPORT, _): parse_direct_export;
            default: parse_other_option;
        }
    }

    /* Passes as it came: type, length, reserved, IOAM type, namespace, two flags, trace type. */
    state parse_direct_export {
        bit<96> option = packet.lookahead<bit<96>>();
        meta.dex.found = true;
        meta.dex.namespace_id = option[63:48];
        meta.dex.trace_type = option[31:8];
        transition parse_other_option;
    }

    /* Other IOAM types in an option of this kind, such as proof of transit, are passed over. */
    state parse_ioam {
        transition select(packet.lookahead<bit<32>>()[7:0]) {
            IOAM_PREALLOCATED_TRACE: parse_trace_option;
            default: parse_other_option;
        }
    }

    state parse_trace_option {
        packet.extract(hdr.ioam_option);
        meta.ioam.option_left_bytes = meta.ioam.left_bytes;
        transition select(hdr.ioam_option.length) {
            0 .. 9: accept;
            default: parse_trace;
        }
    }

    state parse_trace {
        packet.extract(hdr.ioam_trace);
        meta.ioam.left_bytes = meta.ioam.left_bytes - 12;
        meta.ioam.slot_words =
            (bit<16>)hdr.ioam_trace.node_words + (bit<16>)hdr.ioam_trace.trace_type[1:1];
        meta.ioam.spare_words = (bit<16>)hdr.ioam_trace.remaining - meta.ioam.slot_words;
        transition select(meta.ioam.spare_words) {
            0x8000 &&& 0x8000: parse_rest;
            default: parse_slot;
        }
    }

    state parse_slot {
        packet.extract(hdr.ioam_spare, (bit<32>)meta.ioam.spare_words << 5);
        packet.extract(hdr.ioam_slot, (bit<32>)meta.ioam.slot_words << 5);
        meta.ioam.left_bytes =
            meta.ioam.left_bytes - ((bit<16>)hdr.ioam_trace.remaining << 2);
        transition parse_rest;
    }

    state parse_rest {
        transition select(meta.ioam.left_bytes) {
            0x8000 &&& 0x8000: accept;
            default: parse_behind_trace;
        }
    }

    state parse_behind_trace {
        packet.extract(hdr.ioam_rest, (bit<32>)meta.ioam.left_bytes << 3);
        transition parse_upper_layer;
    }

    state parse_upper_layer {
        transition select(hdr.hop_by_hop.next_header) {
            PROTOCOL_UDP: parse_ports;
            PROTOCOL_TCP: parse_ports;
            PROTOCOL_IPV6: parse_inner_flow;
            default: accept;
        }
    }

    /* The flow inside the packet of an encapsulating node: ports behind an IPv6 header. */
    state parse_inner_flow {
        meta.ioam.flow_protocol = packet.lookahead<bit<64>>()[15:8];
        transition select(meta.ioam.flow_protocol) {
            PROTOCOL_UDP: parse_inner_ports;
            PROTOCOL_TCP: parse_inner_ports;
            default: accept;
        }
    }

    state parse_inner_ports {
        bit<352> inner = packet.lookahead<bit<352>>();
        meta.l4.src_port = inner[31:16];
        meta.l4.dst_port = inner[15:0];
        transition accept;
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }
}

#endif  /* IOAM_PARSER_P4 */
