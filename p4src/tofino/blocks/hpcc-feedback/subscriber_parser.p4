#ifndef TOFINO_SUBSCRIBER_PARSER_P4
#define TOFINO_SUBSCRIBER_PARSER_P4

#include "common/config.p4"
#include "common/l4_parser.p4"
#include "tofino/blocks/ipv4_parser.p4"
#include "older_blocks.p4"

/* As IPV4_WITH_INT. */
const bit<14> IPV4_OF_SUBSCRIBER = 8w0x45 ++ (bit<6>)FEEDBACK_DSCP;

/*
 * Ethernet to the ports, and of packets that may subscribe to the sequence number: behind INT, up
 * to seven blocks of earlier hops are passed over. Sums and options are as in frame_parser.p4.
 */
parser subscriber_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    ipv4_parser() ipv4;
    port_parser() ports;

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: no_ports;
        }
    }

    /* Header length and DSCP, before the header leaves the window of the parser. */
    state parse_ipv4 {
        transition select(packet.lookahead<bit<14>>()) {
            IPV4_WITH_INT: parse_marked_ipv4;
            IPV4_OF_SUBSCRIBER: parse_subscribed_ipv4;
            default: parse_plain_ipv4;
        }
    }

    state parse_marked_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_marked_udp;
            (0, 0, PROTOCOL_TCP): parse_marked_tcp;
            default: no_ports;
        }
    }

    state parse_subscribed_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset, hdr.ipv4.protocol) {
            (0, 0, PROTOCOL_UDP): parse_subscribed_udp;
            (0, 0, PROTOCOL_TCP): parse_subscribed_tcp;
            default: no_ports;
        }
    }

    state parse_plain_ipv4 {
        ipv4.apply(packet, hdr, meta);
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags[0:0], hdr.ipv4.frag_offset,
                          hdr.ipv4.protocol) {
            (5, 0, 0, PROTOCOL_UDP): parse_udp_ports;
            (5, 0, 0, PROTOCOL_TCP): parse_tcp_ports;
            default: no_ports;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header, hdr.ipv6.dscp) {
            (PROTOCOL_UDP, INT_DSCP): parse_marked_udp;
            (PROTOCOL_TCP, INT_DSCP): parse_marked_tcp;
            (PROTOCOL_UDP, FEEDBACK_DSCP): parse_subscribed_udp;
            (PROTOCOL_TCP, FEEDBACK_DSCP): parse_subscribed_tcp;
            (PROTOCOL_UDP, _): parse_udp_ports;
            (PROTOCOL_TCP, _): parse_tcp_ports;
            default: no_ports;
        }
    }

    /* Each field is written once: Tofino's parser cannot overwrite. */
    state no_ports {
        meta.l4.protocol = PROTOCOL_NONE;
        transition incomplete;
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
        transition incomplete;
    }

    state parse_subscribed_udp {
        meta.l4.dscp = FEEDBACK_DSCP;
        meta.l4.protocol = PROTOCOL_UDP;
        ports.apply(packet, meta);
        packet.extract(hdr.udp);
        transition select(hdr.udp.dst_port) {
            HPCC_TRANSPORT_PORT: parse_hpcc;
            ROCE_PORT: parse_bth;
            default: complete;
        }
    }

    state parse_subscribed_tcp {
        meta.l4.dscp = FEEDBACK_DSCP;
        meta.l4.protocol = PROTOCOL_TCP;
        ports.apply(packet, meta);
        packet.extract(hdr.tcp);
        transition select(hdr.tcp.data_offset) {
            0 &&& 12: incomplete;
            4: incomplete;
            default: complete;
        }
    }

    state parse_marked_udp {
        meta.l4.dscp = INT_DSCP;
        meta.l4.protocol = PROTOCOL_UDP;
        ports.apply(packet, meta);
        packet.extract(hdr.udp);
        transition select(hdr.udp.length, hdr.udp.dst_port) {
            /* Less than 24 bytes hold no INT. */
            (0x0000 &&& 0xFFF0, _): incomplete;
            (0x0010 &&& 0xFFF8, _): incomplete;
            (_, HPCC_TRANSPORT_PORT): parse_udp_shim;
            (_, ROCE_PORT): parse_udp_shim;
            /* As behind TCP: what follows INT is of no interest. */
            default: parse_short_shim;
        }
    }

    state parse_udp_shim {
        packet.extract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_udp_md;
            default: incomplete;
        }
    }

    state parse_udp_md {
        packet.extract(hdr.int_md);
        transition select(hdr.int_md.ds_flags[13:13], hdr.int_shim.length) {
            (1, 3): parse_transport;
            (1, 11): parse_one;
            (1, 19): parse_two;
            (1, 27): parse_two;
            (1, 35): parse_four;
            (1, 43): parse_four;
            (1, 51): parse_four;
            (1, 59): parse_four;
            (1, _): complete;
            default: incomplete;
        }
    }

    state parse_four {
        packet.extract(hdr.four_older);
        transition select(hdr.int_shim.length) {
            35: parse_transport;
            43: parse_one;
            default: parse_two;
        }
    }

    state parse_two {
        packet.extract(hdr.two_older);
        transition select(hdr.int_shim.length) {
            19: parse_transport;
            51: parse_transport;
            default: parse_one;
        }
    }

    state parse_one {
        packet.extract(hdr.one_older);
        transition parse_transport;
    }

    /* One byte tells the two ports apart, and no more is left to compare. */
    state parse_transport {
        transition select(hdr.udp.dst_port[7:0]) {
            (bit<8>)HPCC_TRANSPORT_PORT: parse_hpcc;
            default: parse_bth;
        }
    }

    state parse_hpcc {
        packet.extract(hdr.hpcc);
        transition complete;
    }

    state parse_bth {
        packet.extract(hdr.bth);
        transition complete;
    }

    state parse_marked_tcp {
        meta.l4.dscp = INT_DSCP;
        meta.l4.protocol = PROTOCOL_TCP;
        ports.apply(packet, meta);
        packet.extract(hdr.tcp);
        transition select(hdr.tcp.data_offset) {
            5: parse_short_shim;
            0 &&& 12: incomplete;
            4: incomplete;
            default: parse_tcp_options;
        }
    }

    state parse_tcp_options {
        PARSE_TCP_OPTIONS(parse_short_shim);
    }

    state parse_short_shim {
        packet.extract(hdr.int_shim);
        transition select(hdr.int_shim.type, hdr.int_shim.npt) {
            (INT_TYPE_MD, INT_NPT_NONE): parse_short_md;
            default: incomplete;
        }
    }

    state parse_short_md {
        packet.extract(hdr.int_md);
        transition complete;
    }

    state incomplete {
        meta.deep.is_complete = false;
        transition accept;
    }

    state complete {
        meta.deep.is_complete = true;
        transition accept;
    }
}

#endif  /* TOFINO_SUBSCRIBER_PARSER_P4 */
