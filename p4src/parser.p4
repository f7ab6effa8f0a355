#ifndef PARSER_P4
#define PARSER_P4

#include "config.p4"
#include "packet.p4"

/*
 * Ethernet / IPv4 or IPv6 / UDP or TCP with options / INT shim / INT-MD header. Whatever does not
 * follow stays payload and is forwarded as it came: IPv4 options, IPv6 extension headers,
 * fragments, other transports, INT versions of another layout.
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
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_ipv4_udp;
            (5, 0, 0, PROTOCOL_TCP): parse_ipv4_tcp;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, _): parse_ipv6_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_tcp;
            (PROTOCOL_TCP, _): parse_tcp_ports;
            default: accept;
        }
    }

    state parse_ipv4_tcp {
        transition select(hdr.ipv4.dscp) {
            INT_DSCP: parse_tcp;
            default: parse_tcp_ports;
        }
    }

    state parse_tcp_ports {
        /* Not a header: v1model would add its bytes to the packet's length. */
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.l4.src_port = ports[31:16];
        meta.l4.dst_port = ports[15:0];
        transition accept;
    }

    /* INT follows the options. */
    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        transition select(hdr.tcp.data_offset) {
            0 .. 4: accept;
            5: parse_int_shim;
            default: parse_tcp_options;
        }
    }

    state parse_tcp_options {
        packet.extract(hdr.tcp_options, ((bit<32>)hdr.tcp.data_offset - 5) * 32);
        transition parse_int_shim;
    }

    /* A datagram of less than 24 bytes (UDP header, shim, INT-MD header) cannot carry INT. */
    state parse_ipv4_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(hdr.ipv4.dscp, hdr.udp.length) {
            (INT_DSCP, 0 .. 23): accept;
            (INT_DSCP, _): parse_int_shim;
            default: accept;
        }
    }

    state parse_ipv6_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(hdr.ipv6.dscp, hdr.udp.length) {
            (INT_DSCP, 0 .. 23): accept;
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
