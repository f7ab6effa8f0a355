#ifndef PADDING_PARSER_P4
#define PADDING_PARSER_P4

#include "common/padding_format.p4"
#include "common/l4_parser.p4"

/*
 * Ethernet / IPv4 or IPv6 / UDP / padding / records of earlier hops. Whether lengths agree is for
 * the admission to say: what is parsed here leaves as it came unless a record is added.
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
        transition select(meta.l4.protocol, meta.l4.dscp) {
            (PROTOCOL_UDP, PADDING_DSCP): parse_marked_udp;
            (PROTOCOL_UDP, _): parse_ports;
            (PROTOCOL_TCP, _): parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        ports.apply(packet, meta);
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
