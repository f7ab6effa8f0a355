#ifndef L4_PARSER_P4
#define L4_PARSER_P4

#include "config.p4"
#include "headers.p4"
#include "metadata.p4"

/*
 * First states of all parsers behind the EtherType: IPv4 or IPv6, and the header behind it.
 * `meta.l4.protocol` is PROTOCOL_NONE where nothing can be read behind the IP header: it is not IP,
 * or IPv4 with options, or another fragment than the first. IPv6 extension headers are protocols
 * like others.
 */
parser ip_parser(packet_in packet,
                 inout headers_t hdr,
                 inout metadata_t meta,
                 in bit<16> ether_type) {
    state start {
        meta.l4.protocol = PROTOCOL_NONE;
        transition select(ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        meta.l4.dscp = hdr.ipv4.dscp;
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset) {
            (5, 0, 0): parse_ipv4_protocol;
            default: accept;
        }
    }

    state parse_ipv4_protocol {
        meta.l4.protocol = hdr.ipv4.protocol;
        transition accept;
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        meta.l4.dscp = hdr.ipv6.dscp;
        meta.l4.protocol = hdr.ipv6.next_header;
        transition accept;
    }
}

/* The ports of UDP or TCP for hashing. Not a header: v1model would add its bytes to the length. */
parser port_parser(packet_in packet, inout metadata_t meta) {
    state start {
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.l4.src_port = ports[31:16];
        meta.l4.dst_port = ports[15:0];
        transition accept;
    }
}

#endif  /* L4_PARSER_P4 */
