#ifndef PADDING_PARSER_P4
#define PADDING_PARSER_P4

#include "packet.p4"


/*
 * Ethernet / IPv4 or IPv6 / UDP / padding / records of earlier hops. Whether lengths agree is for
 * the admission to say: what is parsed here leaves as it came unless a record is added.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    /* Ports are where they seem to be only without options and in the first fragment. */
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol, hdr.ipv4.dscp) {
            (5, 0, 0, PROTOCOL_UDP, PADDING_DSCP): parse_marked_udp;
            (5, 0, 0, PROTOCOL_UDP, _): parse_ports;
            (5, 0, 0, PROTOCOL_TCP, _): parse_ports;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, PADDING_DSCP): parse_marked_udp;
            (PROTOCOL_UDP, _): parse_ports;
            (PROTOCOL_TCP, _): parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        /* Not a header: v1model would add its bytes to the packet's length. */
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.l4.src_port = ports[31:16];
        meta.l4.dst_port = ports[15:0];
        transition accept;
    }

    state parse_marked_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        packet.extract(hdr.padding);
        packet.extract(hdr.padding_older, (bit<32>)hdr.padding.hop_count * PADDING_HOP_BITS);
        transition accept;
    }
}

#endif  /* PADDING_PARSER_P4 */
