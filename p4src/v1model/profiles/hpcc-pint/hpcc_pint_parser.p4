#ifndef HPCC_PINT_PARSER_P4
#define HPCC_PINT_PARSER_P4

#include "hpcc_pint_headers.p4"
#include "common/l4_parser.p4"

/* Ethernet / IPv4 or IPv6 / UDP / shim. A datagram without room for a shim has none. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    port_parser() ports;

    state start {
        packet.extract(hdr.ethernet);
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        transition select(meta.l4.protocol) {
            PROTOCOL_UDP: parse_udp;
            PROTOCOL_TCP: parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(hdr.udp.dst_port, hdr.udp.length) {
            (PATH_SHIM_PORT, 0 .. 15): accept;
            (PATH_SHIM_PORT, _): parse_shim;
            default: accept;
        }
    }

    state parse_shim {
        packet.extract(hdr.shim);
        transition accept;
    }
}

#endif  /* HPCC_PINT_PARSER_P4 */
