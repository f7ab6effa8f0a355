#ifndef IFA_PARSER_P4
#define IFA_PARSER_P4

#include "ifa_headers.p4"
#include "common/l4_parser.p4"

/*
 * Ethernet / IPv4 or IPv6 / IFA header / UDP or TCP / metadata header. ECMP looks through IFA: it
 * hashes the protocol and the ports of the flow. Headers of other versions, and what follows them,
 * stay payload.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    port_parser() ports;

    state start {
        packet.extract(hdr.ethernet);
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        meta.flow.protocol = hdr.ipv4.isValid() ? hdr.ipv4.protocol : hdr.ipv6.next_header;
        transition select(meta.l4.protocol) {
            PROTOCOL_UDP: parse_ports;
            PROTOCOL_TCP: parse_ports;
            IFA_PROTOCOL: parse_ifa;
            default: accept;
        }
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }

    state parse_ifa {
        packet.extract(hdr.ifa);
        meta.flow.protocol = hdr.ifa.next_header;
        transition select(hdr.ifa.version, hdr.ifa.next_header) {
            (IFA_VERSION, PROTOCOL_UDP): parse_udp;
            (IFA_VERSION, PROTOCOL_TCP): parse_tcp;
            default: accept;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition parse_ifa_metadata;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        transition select(hdr.tcp.data_offset) {
            0 .. 4: accept;
            5: parse_ifa_metadata;
            default: parse_tcp_options;
        }
    }

    state parse_tcp_options {
        packet.extract(hdr.tcp_options, ((bit<32>)hdr.tcp.data_offset - 5) * 32);
        transition parse_ifa_metadata;
    }

    state parse_ifa_metadata {
        packet.extract(hdr.ifa_metadata);
        transition accept;
    }
}

#endif  /* IFA_PARSER_P4 */
