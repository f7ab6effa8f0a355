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

#include "tofino/blocks/frame_parser.p4"

/* Parses all of UDP or TCP, for a source adds telemetry behind them. */
#define FRAME_PARSER frame_parser(true)
#include "tofino/target/ingress_parser.p4"

/* Parses no more than the IP header of copies for reports. */
parser egress_parser(EGRESS_PARSER_PARAMETERS) {
    Checksum() ipv4_rest;
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
        ipv4_rest.subtract({ IPV4_FIELDS, hdr.ipv4.checksum });
        meta.target.ipv4_rest = ipv4_rest.get();
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
