#ifndef TNA_INGRESS_PARSER_P4
#define TNA_INGRESS_PARSER_P4

#include "../../config.p4"
#include "../../l4_parser.p4"

/* To the ports; what follows them stays payload. Checksums are kept by difference. */
parser ingress_parser(packet_in packet,
                      out headers_t hdr,
                      out metadata_t meta,
                      out ingress_intrinsic_metadata_t ig_intr_md) {
    Checksum() verification;
    Checksum() ipv4_rest;
    port_parser() ports;

    state start {
        packet.extract(ig_intr_md);
        packet.advance(PORT_METADATA_SIZE);
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: no_ports;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        verification.add(hdr.ipv4);
        meta.tna.bad_checksum = (bit<1>)verification.verify();
        ipv4_rest.subtract({ hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.checksum });
        meta.tna.ipv4_rest = ipv4_rest.get();
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_udp_ports;
            (5, 0, 0, PROTOCOL_TCP): parse_tcp_ports;
            default: no_ports;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_UDP: parse_udp_ports;
            PROTOCOL_TCP: parse_tcp_ports;
            default: no_ports;
        }
    }

    /* What a parser writes, it writes once. */
    state no_ports {
        meta.l4.protocol = PROTOCOL_NONE;
        transition accept;
    }

    state parse_udp_ports {
        meta.l4.protocol = PROTOCOL_UDP;
        transition parse_ports;
    }

    state parse_tcp_ports {
        meta.l4.protocol = PROTOCOL_TCP;
        transition parse_ports;
    }

    state parse_ports {
        ports.apply(packet, meta);
        transition accept;
    }
}

#endif  /* TNA_INGRESS_PARSER_P4 */
