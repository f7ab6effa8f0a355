#ifndef DEEP_PARSER_P4
#define DEEP_PARSER_P4

#include "common/l4_parser.p4"

/*
 * As int_parser.p4, for programs that work on more than a transit node does: it always reads TCP,
 * and it reads the whole INT stack, to what follows it. `meta.deep.is_complete` tells that the
 * parser came to the end of TCP or UDP and of INT, if there is any.
 */
parser deep_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    ip_parser() ip;

    state start {
        packet.extract(hdr.ethernet);
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        transition select(meta.l4.protocol) {
            PROTOCOL_UDP: parse_udp;
            PROTOCOL_TCP: parse_tcp;
            default: accept;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        transition select(meta.l4.dscp, hdr.udp.length) {
            (INT_DSCP, 0 .. 23): complete;
            (INT_DSCP, _): parse_int_shim;
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
        transition select(meta.l4.dscp) {
            INT_DSCP: parse_int_shim;
            default: complete;
        }
    }

    state parse_int_shim {
        packet.extract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt, hdr.int_shim.length) {
            (INT_TYPE_MD, INT_NPT_NONE, 0 .. 2): parse_short_int_md;
            (INT_TYPE_MD, INT_NPT_NONE, _): parse_int_md;
            default: accept;
        }
    }

    /* Too short to hold its own header: for the admission to refuse. */
    state parse_short_int_md {
        packet.extract(hdr.int_md);
        transition accept;
    }

    state parse_int_md {
        packet.extract(hdr.int_md);
        packet.extract(hdr.int_stack, ((bit<32>)hdr.int_shim.length - 3) * 32);
        transition complete;
    }

    state complete {
        meta.deep.is_complete = true;
        transition accept;
    }
}

#endif  /* DEEP_PARSER_P4 */
