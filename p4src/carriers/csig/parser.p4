#ifndef CSIG_PARSER_P4
#define CSIG_PARSER_P4

#include "packet.p4"

/* Ethernet / CSIG tag / IPv4 or IPv6 / the ports of TCP and UDP, for hashing only. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            CSIG_TPID: parse_csig;
            default: accept;
        }
    }

    state parse_csig {
        packet.extract(hdr.csig);
        transition select(hdr.csig.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    /* Ports are where they seem to be only without options and in the first fragment. */
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_ports;
            (5, 0, 0, PROTOCOL_TCP): parse_ports;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_UDP: parse_ports;
            PROTOCOL_TCP: parse_ports;
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
}

#endif  /* CSIG_PARSER_P4 */
