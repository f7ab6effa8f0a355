#ifndef TNA_EDGE_PARSERS_P4
#define TNA_EDGE_PARSERS_P4

#include "packet.p4"
#include "../../../config.p4"
#include "../telemetry_parser.p4"

/*
 * As in ../ingress_parser.p4, and all of UDP or TCP, behind which a source adds telemetry, and of
 * telemetry that came with the packet up to four hops: whether it is taken out, is decided when it
 * has been parsed. Not behind options of TCP.
 */
parser ingress_parser(packet_in packet,
                      out headers_t hdr,
                      out metadata_t meta,
                      out ingress_intrinsic_metadata_t ig_intr_md) {
    Checksum() verification;
    Checksum() ipv4_rest;
    Checksum() l4_rest;

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
        ipv4_rest.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
                             hdr.ipv4.total_len, hdr.ipv4.ttl, hdr.ipv4.protocol,
                             hdr.ipv4.checksum });
        meta.tna.ipv4_rest = ipv4_rest.get();
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_ipv4_udp;
            (5, 0, 0, PROTOCOL_TCP): parse_ipv4_tcp;
            default: no_ports;
        }
    }

    state parse_ipv4_udp {
        transition select(hdr.ipv4.dscp) {
            INT_DSCP: parse_marked_udp;
            default: parse_udp;
        }
    }

    state parse_ipv4_tcp {
        transition select(hdr.ipv4.dscp) {
            INT_DSCP: parse_marked_tcp;
            default: parse_tcp;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, INT_DSCP): parse_marked_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_marked_tcp;
            (PROTOCOL_UDP, _): parse_udp;
            (PROTOCOL_TCP, _): parse_tcp;
            default: no_ports;
        }
    }

    state no_ports {
        meta.l4.protocol = PROTOCOL_NONE;
        transition accept;
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.protocol = PROTOCOL_UDP;
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        l4_rest.subtract({ hdr.udp.length, hdr.udp.length, hdr.udp.checksum });
        meta.tna.l4_rest = l4_rest.get();
        transition complete;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.l4.protocol = PROTOCOL_TCP;
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        l4_rest.subtract({ hdr.tcp.checksum });
        meta.tna.l4_rest = l4_rest.get();
        transition select(hdr.tcp.data_offset) {
            5: complete;
            default: accept;
        }
    }

    state parse_marked_udp {
        packet.extract(hdr.udp);
        meta.l4.protocol = PROTOCOL_UDP;
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        l4_rest.subtract({ hdr.udp.length, hdr.udp.length, hdr.udp.checksum });
        transition select(hdr.udp.length) {
            /* Less than 24 bytes hold no INT. */
            0x0000 &&& 0xFFF0: accept;
            0x0010 &&& 0xFFF8: accept;
            default: parse_shim;
        }
    }

    state parse_marked_tcp {
        packet.extract(hdr.tcp);
        meta.l4.protocol = PROTOCOL_TCP;
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        l4_rest.subtract({ hdr.tcp.checksum });
        transition select(hdr.tcp.data_offset) {
            5: parse_shim;
            default: accept;
        }
    }

    state parse_shim {
        packet.extract(hdr.int_shim);
        l4_rest.subtract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt, hdr.int_shim.length) {
            (INT_TYPE_MD, INT_NPT_NONE, INT_MD_WORDS): parse_md_alone;
            (INT_TYPE_MD, INT_NPT_NONE, _): parse_md;
            default: accept;
        }
    }

    state parse_md_alone {
        packet.extract(hdr.int_md);
        l4_rest.subtract(hdr.int_md);
        meta.tna.l4_rest = l4_rest.get();
        transition complete;
    }

    state parse_md {
        packet.extract(hdr.int_md);
        l4_rest.subtract(hdr.int_md);
        transition select(hdr.int_shim.length) {
            INT_MD_WORDS + INT_HOP_WORDS: parse_hop_1;
            INT_MD_WORDS + 2 * INT_HOP_WORDS: parse_hop_2;
            INT_MD_WORDS + 3 * INT_HOP_WORDS: parse_hop_3;
            INT_MD_WORDS + 4 * INT_HOP_WORDS: parse_hop_4;
            default: accept;
        }
    }

    state parse_hop_4 {
        packet.extract(hdr.hop_4);
        l4_rest.subtract(hdr.hop_4);
        transition parse_hop_3;
    }

    state parse_hop_3 {
        packet.extract(hdr.hop_3);
        l4_rest.subtract(hdr.hop_3);
        transition parse_hop_2;
    }

    state parse_hop_2 {
        packet.extract(hdr.hop_2);
        l4_rest.subtract(hdr.hop_2);
        transition parse_hop_1;
    }

    state parse_hop_1 {
        packet.extract(hdr.hop_1);
        l4_rest.subtract(hdr.hop_1);
        meta.tna.l4_rest = l4_rest.get();
        transition complete;
    }

    state complete {
        meta.deep.is_complete = true;
        transition accept;
    }
}

/* As in ../parsers.p4. Of copies for reports no more than the IP header is read. */
parser egress_parser(packet_in packet,
                     out headers_t hdr,
                     out metadata_t meta,
                     out egress_intrinsic_metadata_t eg_intr_md) {
    Checksum() ipv4_rest;
    telemetry_parser() telemetry;

    state start {
        packet.extract(eg_intr_md);
        meta.standard.egress_port = eg_intr_md.egress_port;
        transition select(packet.lookahead<bit<7>>()) {
            COPY_OF_INGRESS: parse_copy;
            default: parse_bridge;
        }
    }

    state parse_copy {
        packet.extract(hdr.copy);
        transition parse_copied_ethernet;
    }

    state parse_copied_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_copied_ipv4;
            ETHERTYPE_IPV6: parse_copied_ipv6;
            default: accept;
        }
    }

    state parse_copied_ipv4 {
        packet.extract(hdr.ipv4);
        ipv4_rest.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
                             hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,
                             hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
                             hdr.ipv4.checksum });
        meta.tna.ipv4_rest = ipv4_rest.get();
        transition accept;
    }

    state parse_copied_ipv6 {
        packet.extract(hdr.ipv6);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        packet.extract(hdr.change);
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        telemetry.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TNA_EDGE_PARSERS_P4 */
