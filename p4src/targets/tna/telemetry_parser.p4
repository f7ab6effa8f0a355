#ifndef TNA_TELEMETRY_PARSER_P4
#define TNA_TELEMETRY_PARSER_P4

#include "../../config.p4"

/*
 * Ethernet to the INT-MD header. TCP with options is passed on untouched: a stack behind them would
 * need 40 bytes of the packet header vector for words that nobody reads.
 */
parser telemetry_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    Checksum() ipv4_rest;
    Checksum() udp_rest;
    Checksum() tcp_rest;

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        ipv4_rest.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
                             hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,
                             hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
                             hdr.ipv4.checksum });
        meta.tna.ipv4_rest = ipv4_rest.get();
        transition select(hdr.ipv4.ihl, hdr.ipv4.dscp) {
            (5, INT_DSCP): parse_marked_ipv4;
            default: accept;
        }
    }

    /* A state compares four bytes at most. */
    state parse_marked_ipv4 {
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_udp;
            (0, 0, PROTOCOL_TCP): parse_tcp;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, INT_DSCP): parse_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_tcp;
            default: accept;
        }
    }

    /* The length is in the pseudo-header, too. */
    state parse_udp {
        packet.extract(hdr.udp);
        udp_rest.subtract({ hdr.udp.length, hdr.udp.length, hdr.udp.checksum });
        transition select(hdr.udp.length) {
            /* Less than 24 bytes hold no INT. */
            0x0000 &&& 0xFFF0: accept;
            0x0010 &&& 0xFFF8: accept;
            default: parse_udp_shim;
        }
    }

    state parse_udp_shim {
        packet.extract(hdr.int_shim);
        udp_rest.subtract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_udp_md;
            default: accept;
        }
    }

    state parse_udp_md {
        packet.extract(hdr.int_md);
        udp_rest.subtract(hdr.int_md);
        meta.tna.l4_rest = udp_rest.get();
        transition accept;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        tcp_rest.subtract({ hdr.tcp.checksum });
        transition select(hdr.tcp.data_offset) {
            5: parse_tcp_shim;
            default: accept;
        }
    }

    state parse_tcp_shim {
        packet.extract(hdr.int_shim);
        tcp_rest.subtract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_tcp_md;
            default: accept;
        }
    }

    state parse_tcp_md {
        packet.extract(hdr.int_md);
        tcp_rest.subtract(hdr.int_md);
        meta.tna.l4_rest = tcp_rest.get();
        transition accept;
    }
}

#endif  /* TNA_TELEMETRY_PARSER_P4 */
