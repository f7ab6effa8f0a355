#ifndef INT_PARSER_P4
#define INT_PARSER_P4

#include "common/config.p4"
#include "common/l4_parser.p4"

/*
 * UDP, or TCP with options, and the INT shim and INT-MD header behind them. TCP without INT is only
 * read for its ports, and a datagram of less than 24 bytes (UDP header, shim, INT-MD header) cannot
 * carry INT.
 */
parser int_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    port_parser() ports;

    state start {
        transition select(meta.l4.protocol, meta.l4.dscp) {
            (PROTOCOL_UDP, _): parse_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_tcp;
            (PROTOCOL_TCP, _): parse_ports;
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
        transition select(meta.l4.dscp, hdr.udp.length) {
            (INT_DSCP, 0 .. 23): accept;
            (INT_DSCP, _): parse_int_shim;
            default: accept;
        }
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

#endif  /* INT_PARSER_P4 */
