#ifndef COORDINATION_PARSER_P4
#define COORDINATION_PARSER_P4

#include "../config.p4"
#include "packet.p4"
#include "types.p4"

/*
 * As ../parser.p4, behind a coordination tag if there is one, and to the end of a notification.
 * Whatever does not follow stays payload.
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
            CCM_TPID: parse_ccm_tag;
            default: accept;
        }
    }

    state parse_ccm_tag {
        packet.extract(hdr.ccm_tag);
        transition select(hdr.ccm_tag.version, hdr.ccm_tag.ether_type) {
            (CCM_VERSION, ETHERTYPE_IPV4): parse_ipv4;
            (CCM_VERSION, ETHERTYPE_IPV6): parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        meta.deep.dscp = hdr.ipv4.dscp;
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol, hdr.ipv4.dscp) {
            (5, 0, 0, PROTOCOL_UDP, _): parse_udp;
            (5, 0, 0, PROTOCOL_TCP, INT_DSCP): parse_tcp;
            (5, 0, 0, PROTOCOL_TCP, _): parse_tcp_ports;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        meta.deep.dscp = hdr.ipv6.dscp;
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, _): parse_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_tcp;
            (PROTOCOL_TCP, _): parse_tcp_ports;
            default: accept;
        }
    }

    state parse_tcp_ports {
        /* Not a header: v1model would add its bytes to the packet's length. */
        bit<32> ports = packet.lookahead<bit<32>>();
        meta.l4.src_port = ports[31:16];
        meta.l4.dst_port = ports[15:0];
        transition accept;
    }

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

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(meta.deep.dscp, hdr.udp.length, hdr.udp.dst_port) {
            (INT_DSCP, 0 .. 23, _): accept;
            (INT_DSCP, _, _): parse_int_shim;
            (_, NOTIFICATION_UDP_BYTES, CCM_PORT): parse_notification;
            default: accept;
        }
    }

    state parse_notification {
        packet.extract(hdr.notification);
        transition accept;
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

#endif  /* COORDINATION_PARSER_P4 */
