#ifndef TOFINO_FRAME_PARSER_P4
#define TOFINO_FRAME_PARSER_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "ipv4_parser.p4"

/* For programs that say nothing else: what lies behind the INT-MD header stays payload. */
#ifndef STACK_STATES
#define STACK_STATES state parse_stack { transition parse_end; }
#endif

/* Other IPv4 than telemetry's; a target may tell a header with options apart. */
#ifndef IPV4_BRANCHES
#define IPV4_BRANCHES default: parse_plain_ipv4;
#endif
#ifndef IPV4_STATES
#define IPV4_STATES /* none but those below */
#endif

/*
 * Ethernet to the INT-MD header, or with `reads_stack` to the end of the stack, in states of which
 * each compares few bytes. A target that changes checksums by difference sums what comes, in
 * `SUM`s; it says whether it reads options of TCP (`PARSE_TCP_OPTIONS`), and a program what its
 * stack is (`STACK_STATES`). `meta.deep.is_complete` tells that the parser came to the end of it
 * all. What a parser writes, it writes once.
 */
parser frame_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta)
                   (bool reads_stack) {
    ipv4_parser() ipv4;
    SUM(l4_rest)

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: no_ports;
        }
    }

    state parse_ipv4 {
        transition select(packet.lookahead<bit<14>>()) {
            IPV4_WITH_INT: parse_marked_ipv4;
            IPV4_BRANCHES
        }
    }

    IPV4_STATES

    state parse_marked_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_marked_udp;
            (0, 0, PROTOCOL_TCP): parse_marked_tcp;
            default: no_ports;
        }
    }

    state parse_plain_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_udp;
            (5, 0, 0, PROTOCOL_TCP): parse_tcp;
            default: no_ports;
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

    /* The length is in the pseudo-header, too. */
    TAKES_TWICE state parse_udp {
        packet.extract(hdr.udp);
        meta.l4.protocol = PROTOCOL_UDP;
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        SUM_LESS(l4_rest, hdr.udp.length, hdr.udp.length, hdr.udp.checksum);
        KEEP_SUM(l4_rest);
        transition complete;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.l4.protocol = PROTOCOL_TCP;
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        SUM_LESS(l4_rest, hdr.tcp.checksum);
        KEEP_SUM(l4_rest);
        transition select(hdr.tcp.data_offset) {
            5: complete;
            0 &&& 12: accept;
            4: accept;
            default: parse_tcp_options;
        }
    }

    state parse_tcp_options {
        PARSE_TCP_OPTIONS(complete);
    }

    TAKES_TWICE state parse_marked_udp {
        packet.extract(hdr.udp);
        meta.l4.protocol = PROTOCOL_UDP;
        meta.l4.src_port = hdr.udp.src_port;
        meta.l4.dst_port = hdr.udp.dst_port;
        SUM_LESS(l4_rest, hdr.udp.length, hdr.udp.length, hdr.udp.checksum);
        transition select(hdr.udp.length) {
            /* Less than 24 bytes hold no INT. */
            0x0000 &&& 0xFFF0: complete;
            0x0010 &&& 0xFFF8: complete;
            default: parse_shim;
        }
    }

    state parse_marked_tcp {
        packet.extract(hdr.tcp);
        meta.l4.protocol = PROTOCOL_TCP;
        meta.l4.src_port = hdr.tcp.src_port;
        meta.l4.dst_port = hdr.tcp.dst_port;
        SUM_LESS(l4_rest, hdr.tcp.checksum);
        transition select(hdr.tcp.data_offset) {
            5: parse_shim;
            0 &&& 12: accept;
            4: accept;
            default: parse_marked_tcp_options;
        }
    }

    state parse_marked_tcp_options {
        PARSE_TCP_OPTIONS(parse_shim);
    }

    state parse_shim {
        packet.extract(hdr.int_shim);
        SUM_LESS(l4_rest, hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_md;
            default: accept;
        }
    }

    state parse_md {
        packet.extract(hdr.int_md);
        SUM_LESS(l4_rest, hdr.int_md);
        transition select(reads_stack) {
            true: parse_stack;
            false: parse_end;
        }
    }

    STACK_STATES

    state parse_end {
        KEEP_SUM(l4_rest);
        transition complete;
    }

    state complete {
        meta.deep.is_complete = true;
        transition accept;
    }
}

#endif  /* TOFINO_FRAME_PARSER_P4 */
