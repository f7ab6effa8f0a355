#ifndef NSH_PARSER_P4
#define NSH_PARSER_P4

#include "ioam_headers.p4"

/*
 * NSH / its context / other options of IOAM / the head of the first incremental trace, its header
 * and the data of nodes that is there already / the header of an IP packet, if that is next.
 */
parser nsh_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    state start {
        packet.extract(hdr.nsh);
        transition select(hdr.nsh.length) {
            0 .. 1: accept;
            default: parse_context;
        }
    }

    state parse_context {
        packet.extract(hdr.nsh_context, (bit<32>)(hdr.nsh.length - NSH_FIXED_WORDS) << 5);
        transition select(hdr.nsh.next_protocol) {
            NSH_NEXT_IOAM: parse_ioam;
            NSH_NEXT_IPV4: parse_ipv4;
            NSH_NEXT_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ioam {
        bit<16> type_and_length = packet.lookahead<bit<16>>();
        transition select(type_and_length[15:8], type_and_length[7:0]) {
            (IOAM_INCREMENTAL_TRACE, _): parse_head;
            (_, 0): accept;
            default: parse_other_option;
        }
    }

    state parse_other_option {
        bit<16> type_and_length = packet.lookahead<bit<16>>();
        packet.extract(hdr.nsh_options.next, (bit<32>)(type_and_length[7:0] - 1) << 5);
        transition select(hdr.nsh_options.last.next_protocol) {
            NSH_NEXT_IOAM: parse_ioam;
            default: accept;
        }
    }

    state parse_head {
        packet.extract(hdr.nsh_ioam);
        transition select(hdr.nsh_ioam.length) {
            0 .. 2: accept;
            default: parse_trace;
        }
    }

    /* The words that this node adds, and those that the nodes behind it may add. */
    state parse_trace {
        packet.extract(hdr.ioam_trace);
        meta.ioam.slot_words =
            (bit<16>)hdr.ioam_trace.node_words + (bit<16>)hdr.ioam_trace.trace_type[1:1];
        meta.ioam.spare_words = (bit<16>)hdr.ioam_trace.remaining - meta.ioam.slot_words;
        bit<8> data_words = hdr.nsh_ioam.length - NSH_TRACE_WORDS;
        packet.extract(hdr.ioam_rest, (bit<32>)data_words << 5);
        transition select(hdr.nsh_ioam.next_protocol) {
            NSH_NEXT_IPV4: parse_ipv4;
            NSH_NEXT_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.inner_ipv4);
        transition accept;
    }

    state parse_ipv6 {
        packet.extract(hdr.inner_ipv6);
        transition accept;
    }
}

#endif  /* NSH_PARSER_P4 */
