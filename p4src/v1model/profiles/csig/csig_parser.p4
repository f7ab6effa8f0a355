#ifndef CSIG_PARSER_P4
#define CSIG_PARSER_P4

#include "csig_headers.p4"
#include "common/l4_parser.p4"

/* Ethernet / CSIG tag / IPv4 or IPv6 / the ports of TCP and UDP, for hashing only. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    port_parser() ports;

    bit<16> ether_type;

    state start {
        packet.extract(hdr.ethernet);
        ether_type = hdr.ethernet.ether_type;
        transition select(ether_type) {
            CSIG_TPID: parse_csig;
            default: parse_flow;
        }
    }

    state parse_csig {
        packet.extract(hdr.csig);
        ether_type = hdr.csig.ether_type;
        transition parse_flow;
    }

    state parse_flow {
        ip.apply(packet, hdr, meta, ether_type);
        transition select(meta.l4.protocol) {
            PROTOCOL_UDP: parse_ports;
            PROTOCOL_TCP: parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }
}

#endif  /* CSIG_PARSER_P4 */
