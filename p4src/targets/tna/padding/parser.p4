#ifndef TNA_PADDING_PARSER_P4
#define TNA_PADDING_PARSER_P4

#include "packet.p4"
#include "../../../config.p4"

/* Behind the bridge, to the end of the padding. */
parser egress_parser(packet_in packet,
                     out headers_t hdr,
                     out metadata_t meta,
                     out egress_intrinsic_metadata_t eg_intr_md) {
    Checksum() ipv4_rest;
    Checksum() udp_rest;

    state start {
        packet.extract(eg_intr_md);
        packet.extract(hdr.bridge);
        packet.extract(hdr.ethernet);
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        meta.standard.egress_port = eg_intr_md.egress_port;
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        ipv4_rest.subtract({ hdr.ipv4.total_len, hdr.ipv4.checksum });
        meta.tna.ipv4_rest = ipv4_rest.get();
        transition select(hdr.ipv4.ihl, hdr.ipv4.dscp) {
            (5, PADDING_DSCP): parse_marked_ipv4;
            default: accept;
        }
    }

    /* A state compares four bytes at most. */
    state parse_marked_ipv4 {
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_udp;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, PADDING_DSCP): parse_udp;
            default: accept;
        }
    }

    /* The length is in the pseudo-header, too. */
    state parse_udp {
        packet.extract(hdr.udp);
        packet.extract(hdr.padding);
        udp_rest.subtract({ hdr.udp.length, hdr.udp.length, hdr.udp.checksum });
        udp_rest.subtract(hdr.padding);
        meta.tna.l4_rest = udp_rest.get();
        transition select(hdr.padding.hop_count) {
            0: accept;
            1: parse_one;
            2 &&& 14: parse_two;
            4 &&& 12: parse_four;
            /* No room for another one, so nobody needs to know where they end. */
            default: accept;
        }
    }

    state parse_four {
        packet.extract(hdr.four_older);
        transition select(hdr.padding.hop_count) {
            0 &&& 3: accept;
            1 &&& 3: parse_one;
            default: parse_two;
        }
    }

    state parse_two {
        packet.extract(hdr.two_older);
        transition select(hdr.padding.hop_count) {
            0 &&& 1: accept;
            default: parse_one;
        }
    }

    state parse_one {
        packet.extract(hdr.one_older);
        transition accept;
    }
}

#endif  /* TNA_PADDING_PARSER_P4 */
