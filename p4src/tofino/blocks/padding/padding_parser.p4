#ifndef TOFINO_PADDING_PARSER_P4
#define TOFINO_PADDING_PARSER_P4

#include "common/config.p4"
#include "common/l4_parser.p4"
#include "common/padding_format.p4"
#include "tofino/blocks/ipv4_parser.p4"
#include "padding_records.p4"

/* As IPV4_WITH_INT. */
const bit<14> IPV4_WITH_PADDING = 8w0x45 ++ (bit<6>)PADDING_DSCP;

/*
 * Ethernet to the end of the padding, or to the ports. Where records are more than seven, a target
 * says whether it reads on (`PARSE_EIGHT`); if not, there is no room for another one, so nobody
 * needs to know where they end. Sums are as in frame_parser.p4.
 */
parser padding_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    ipv4_parser() ipv4;
    SUM(l4_rest)
    port_parser() ports;

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: no_ports;
        }
    }

    state parse_ipv4 {
        transition select(packet.lookahead<bit<14>>()) {
            IPV4_WITH_PADDING: parse_marked_ipv4;
            default: parse_plain_ipv4;
        }
    }

    state parse_marked_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_udp;
            (0, 0, PROTOCOL_TCP): parse_tcp_ports;
            default: no_ports;
        }
    }

    state parse_plain_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_udp_ports;
            (5, 0, 0, PROTOCOL_TCP): parse_tcp_ports;
            default: no_ports;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, PADDING_DSCP): parse_udp;
            (PROTOCOL_UDP, _): parse_udp_ports;
            (PROTOCOL_TCP, _): parse_tcp_ports;
            default: no_ports;
        }
    }

    /* Each field is written once: Tofino's parser cannot overwrite. */
    state no_ports {
        meta.l4.protocol = PROTOCOL_NONE;
        transition accept;
    }

    state parse_udp_ports {
        meta.l4.protocol = PROTOCOL_UDP;
        transition parse_ports;
    }

    state parse_tcp_ports {
        meta.l4.protocol = PROTOCOL_TCP;
        transition parse_ports;
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }

    /* The length is in the pseudo-header, too. */
    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.protocol = PROTOCOL_UDP;
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        packet.extract(hdr.padding);
        SUM_LESS(l4_rest, hdr.udp.length, hdr.udp.length, hdr.udp.checksum);
        SUM_LESS(l4_rest, hdr.padding);
        transition select(hdr.padding.hop_count) {
            0: keep_sum;
            1: parse_one;
            2 &&& 14: parse_two;
            4 &&& 12: parse_four;
            default: parse_eight;
        }
    }

    state parse_eight {
        PARSE_EIGHT
    }

    state parse_four {
        packet.extract(hdr.four_older);
        transition select(hdr.padding.hop_count) {
            0 &&& 3: keep_sum;
            1 &&& 3: parse_one;
            default: parse_two;
        }
    }

    state parse_two {
        packet.extract(hdr.two_older);
        transition select(hdr.padding.hop_count) {
            0 &&& 1: keep_sum;
            default: parse_one;
        }
    }

    state parse_one {
        packet.extract(hdr.one_older);
        transition keep_sum;
    }

    state keep_sum {
        KEEP_SUM(l4_rest);
        transition accept;
    }
}

#endif  /* TOFINO_PADDING_PARSER_P4 */
