#ifndef TOFINO_HPCC_EDGE_PARSERS_P4
#define TOFINO_HPCC_EDGE_PARSERS_P4

#include "hpcc_edge_headers.p4"
#include "tofino/target/sums.p4"

/*
 * Parses up to four hops of telemetry that came with the packet: whether it is taken out is decided
 * when it has been parsed.
 */
#define STACK_STATES \
    state parse_stack { \
        transition select(hdr.int_shim.length) { \
            INT_MD_WORDS: parse_end; \
            INT_MD_WORDS + INT_HOP_WORDS: parse_hop_1; \
            INT_MD_WORDS + 2 * INT_HOP_WORDS: parse_hop_2; \
            INT_MD_WORDS + 3 * INT_HOP_WORDS: parse_hop_3; \
            INT_MD_WORDS + 4 * INT_HOP_WORDS: parse_hop_4; \
            default: accept; \
        } \
    } \
    HOP_STATE(parse_hop_4, hdr.hop_4, parse_hop_3) \
    HOP_STATE(parse_hop_3, hdr.hop_3, parse_hop_2) \
    HOP_STATE(parse_hop_2, hdr.hop_2, parse_hop_1) \
    HOP_STATE(parse_hop_1, hdr.hop_1, parse_end)
#define HOP_STATE(name, hop, next) \
    state name { \
        packet.extract(hop); \
        SUM_LESS(l4_rest, hop); \
        transition next; \
    }

/* By the version and the length of the header, the first 8 of 14 bits. */
#define IPV4_BRANCHES \
    0x1140 &&& 0x3FC0: parse_plain_ipv4; \
    default: parse_ipv4_with_options;
#define IPV4_STATES \
    state parse_ipv4_with_options { \
        ipv4_with_options.apply(packet, hdr, meta); \
        transition no_ports; \
    }

/*
 * The deparser of ingress makes each IPv4 checksum anew. Of a header with options, which it does
 * not see, this keeps the difference. Nothing may be read behind it: `get` would take that away,
 * too.
 */
parser ipv4_with_options(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    Checksum() rest;

    state start {
        packet.extract(hdr.ipv4);
        rest.subtract(hdr.ipv4);
        meta.target.ipv4_rest = rest.get();
        transition accept;
    }
}

#include "tofino/blocks/frame_parser.p4"

/* Parses all of UDP or TCP, for a source adds telemetry behind them. */
#define FRAME_PARSER frame_parser(true)
#include "tofino/target/ingress_parser.p4"

/* Parses no more than the IP header of copies for reports. */
parser egress_parser(EGRESS_PARSER_PARAMETERS) {
    frame_parser(false) frame;

    state start {
        packet.extract(eg_intr_md);
        meta.target.standard.egress_port = eg_intr_md.egress_port;
        transition select(packet.lookahead<bit<7>>()) {
            COPY_OF_INGRESS: parse_copy;
            COPY_OF_EGRESS: parse_copy_with_hop;
            default: parse_bridge;
        }
    }

    state parse_copy {
        packet.extract(hdr.copy);
        transition parse_copied_ethernet;
    }

    state parse_copy_with_hop {
        packet.extract(hdr.copy);
        packet.extract(hdr.report_hop);
        transition parse_copied_ethernet;
    }

    state parse_copied_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_copied_ipv4;
            ETHERTYPE_IPV6: parse_copied_ipv6;
            default: accept;
        }
    }

    state parse_copied_ipv4 {
        packet.extract(hdr.ipv4);
        transition accept;
    }

    state parse_copied_ipv6 {
        packet.extract(hdr.ipv6);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        packet.extract(hdr.change);
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TOFINO_HPCC_EDGE_PARSERS_P4 */
