#ifndef PARSER_P4
#define PARSER_P4

#include "config.p4"
#include "headers.p4"
#include "metadata.p4"

/*
 * Ethernet / IPv4 / UDP / INT shim / INT-MD header. Whatever does not follow stays payload and is
 * forwarded as it came: IPv4 options, fragments, other transports, INT versions of another layout.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }

    /* Ports are where they seem to be only without options and in the first fragment. */
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_udp;
            (5, 0, 0, PROTOCOL_TCP): parse_tcp_ports;
            default: accept;
        }
    }

    state parse_tcp_ports {
        l4_ports_t ports = packet.lookahead<l4_ports_t>();
        meta.l4.src_port = ports.src_port;
        meta.l4.dst_port = ports.dst_port;
        transition accept;
    }

    /* A datagram of less than 24 bytes (UDP header, shim, INT-MD header) cannot carry INT. */
    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(hdr.ipv4.dscp, hdr.udp.length) {
            (INT_DSCP, 0x0018 &&& 0xFFF8): parse_int_shim;
            (INT_DSCP, 0x0000 &&& 0xFFE0): accept;
            (INT_DSCP, _): parse_int_shim;
            default: accept;
        }
    }

    state parse_int_shim {
        packet.extract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_int_md;
            default: accept;
        }
    }

    state parse_int_md {
        packet.extract(hdr.int_md);
        transition accept;
    }
}

#endif  /* PARSER_P4 */
