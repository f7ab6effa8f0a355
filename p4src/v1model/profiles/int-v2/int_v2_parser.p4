#ifndef INT_V2_PARSER_P4
#define INT_V2_PARSER_P4

#include "common/config.p4"
#include "common/l4_parser.p4"
#include "int_v2_metadata.p4"

/*
 * INT behind UDP, TCP, GRE, VXLAN-GPE or in a Geneve option, by whatever announces it: UDP port,
 * probe marker, DSCP, or the tunnel. `meta.found.is_complete` tells that the parser came to the end
 * of all that it reads.
 */
parser int_v2_finder(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    state start {
        transition select(meta.l4.protocol) {
            PROTOCOL_UDP: parse_udp;
            PROTOCOL_TCP: parse_tcp;
            PROTOCOL_GRE: parse_gre;
            PROTOCOL_NONE: accept;
            default: complete;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(hdr.udp.dst_port, hdr.udp.length) {
            (_, 0 .. 15): complete;
            (INT_UDP_PORT, 24 .. 0xFFFF): found_by_port;
            (_, 32 .. 0xFFFF): look_for_udp_marker;
            default: look_at_udp;
        }
    }

    state look_for_udp_marker {
        transition select(packet.lookahead<bit<64>>()) {
            INT_MARKER: found_by_marker;
            default: look_at_udp;
        }
    }

    state look_at_udp {
        transition select(meta.l4.dscp, hdr.udp.dst_port, hdr.udp.length) {
            (INT_DSCP, _, 24 .. 0xFFFF): found_by_dscp;
            (_, VXLAN_GPE_PORT, _): parse_vxlan_gpe;
            (_, VXLAN_PORT, _): parse_vxlan;
            (_, GENEVE_PORT, _): parse_geneve;
            default: complete;
        }
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        transition select(hdr.tcp.data_offset) {
            0 .. 4: accept;
            default: parse_tcp_options;
        }
    }

    /* Without options the header is there, and empty. */
    state parse_tcp_options {
        packet.extract(hdr.tcp_options, ((bit<32>)hdr.tcp.data_offset - 5) * 32);
        bit<16> header_bytes = (bit<16>)hdr.tcp.data_offset << 2;
        bit<16> data = meta.found.ip_payload - header_bytes;
        bit<1> is_short = meta.found.ip_payload < header_bytes ? 1w1 : 1w0;
        transition select(is_short, data) {
            (1, _): complete;
            (0, 24 .. 0xFFFF): look_for_tcp_marker;
            (0, 16 .. 23): look_at_tcp;
            default: complete;
        }
    }

    state look_for_tcp_marker {
        transition select(packet.lookahead<bit<64>>()) {
            INT_MARKER: found_by_marker;
            default: look_at_tcp;
        }
    }

    state look_at_tcp {
        transition select(meta.l4.dscp) {
            INT_DSCP: found_by_dscp;
            default: complete;
        }
    }

    state found_by_port {
        meta.found.carrier = CARRIER_PORT;
        transition parse_shim;
    }

    state found_by_dscp {
        meta.found.carrier = CARRIER_DSCP;
        transition parse_shim;
    }

    state found_by_marker {
        meta.found.carrier = CARRIER_MARKER;
        packet.extract(hdr.marker);
        transition parse_shim;
    }

    state parse_vxlan {
        packet.extract(hdr.vxlan);
        transition complete;
    }

    /* P bit, and the next protocol of INT. */
    state parse_vxlan_gpe {
        packet.extract(hdr.vxlan);
        transition select(hdr.vxlan.flags, hdr.vxlan.next_protocol) {
            (0x04 &&& 0x04, INT_VXLAN_PROTOCOL): found_by_vxlan;
            default: complete;
        }
    }

    state found_by_vxlan {
        meta.found.carrier = CARRIER_VXLAN;
        transition parse_shim;
    }

    /* Three words of INT header and the option's own: INT is looked for in the first option. */
    state parse_geneve {
        packet.extract(hdr.geneve);
        transition select(hdr.geneve.version, hdr.geneve.options_length) {
            (0, 4 .. 63): look_at_option;
            default: complete;
        }
    }

    state look_at_option {
        transition select(packet.lookahead<bit<24>>()) {
            (INT_GENEVE_CLASS << 8) + 1: parse_geneve_option;
            (INT_GENEVE_CLASS << 8) + 3: parse_geneve_option;
            default: complete;
        }
    }

    state parse_geneve_option {
        packet.extract(hdr.geneve_option);
        meta.found.carrier = CARRIER_GENEVE;
        transition select(hdr.geneve_option.length) {
            0 .. 2: accept;
            default: parse_geneve_int;
        }
    }

    state parse_geneve_int {
        packet.extract(hdr.int_header);
        packet.extract(hdr.int_stack, ((bit<32>)hdr.geneve_option.length - 3) * 32);
        transition complete;
    }

    state parse_gre {
        packet.extract(hdr.gre);
        transition select(hdr.gre.has_checksum, hdr.gre.has_routing, hdr.gre.version) {
            (0, 0, 0): parse_gre_words;
            (1, 0, 0): parse_gre_checksum;
            default: accept;
        }
    }

    state parse_gre_checksum {
        packet.extract(hdr.gre_checksum);
        transition parse_gre_words;
    }

    state parse_gre_words {
        packet.extract(hdr.gre_words,
                       ((bit<32>)hdr.gre.has_key + (bit<32>)hdr.gre.has_sequence) * 32);
        transition select(hdr.gre.protocol) {
            INT_GRE_PROTOCOL: found_by_gre;
            default: complete;
        }
    }

    state found_by_gre {
        meta.found.carrier = CARRIER_GRE;
        transition parse_shim;
    }

    /* The admission counts shims too short for their header, and unknown types. */
    state parse_shim {
        packet.extract(hdr.shim);
        transition select(hdr.shim.type, hdr.shim.length) {
            (_, 0 .. 2): accept;
            (INT_TYPE_MD, _): parse_int;
            (INT_TYPE_MX, _): parse_int;
            default: accept;
        }
    }

    state parse_int {
        packet.extract(hdr.int_header);
        packet.extract(hdr.int_stack, ((bit<32>)hdr.shim.length - 3) * 32);
        transition complete;
    }

    state complete {
        meta.found.is_complete = true;
        transition accept;
    }
}

/* Ethernet, IPv4 or IPv6, and all that may carry INT. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    int_v2_finder() finder;

    state start {
        packet.extract(hdr.ethernet);
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: measure_ipv4;
            ETHERTYPE_IPV6: measure_ipv6;
            default: accept;
        }
    }

    state measure_ipv4 {
        meta.found.ip_payload = hdr.ipv4.total_len - IPV4_BYTES;
        transition find;
    }

    state measure_ipv6 {
        meta.found.ip_payload = hdr.ipv6.payload_length;
        transition find;
    }

    state find {
        finder.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* INT_V2_PARSER_P4 */
