#ifndef TOFINO_HPCC_FEEDBACK_PARSERS_P4
#define TOFINO_HPCC_FEEDBACK_PARSERS_P4

#include "hpcc_feedback_headers.p4"
#include "tofino/target/sums.p4"
#include "common/config.p4"
#include "common/l4_parser.p4"
#include "tofino/blocks/frame_parser.p4"
#include "tofino/blocks/hpcc-feedback/subscriber_parser.p4"

#define FRAME_PARSER subscriber_parser()
#include "tofino/target/ingress_parser.p4"

/*
 * Behind the bridge, to the INT-MD header. Of a copy, its addresses and ports; what else it needs
 * is in the header before it.
 */
parser egress_parser(EGRESS_PARSER_PARAMETERS) {
    frame_parser(false) frame;
    port_parser() ports;

    state start {
        packet.extract(eg_intr_md);
        transition select(packet.lookahead<bit<7>>()) {
            BRIDGE_OF_COPY: parse_copy;
            default: parse_bridge;
        }
    }

    state parse_copy {
        packet.extract(hdr.copy);
        packet.extract(hdr.ethernet);
        meta.feedback.is_copy = true;
        meta.feedback.is_subscribed = true;
        meta.target.standard.egress_port = hdr.copy.egress_port;
        meta.subject.ingress_port = hdr.copy.ingress_port;
        meta.subject.egress_port = hdr.copy.egress_port;
        meta.subject.queue_bytes = hdr.copy.queue_bytes;
        meta.subject.timestamp_ns = hdr.copy.timestamp_ns;
        meta.subject.tx_bytes = hdr.copy.tx_bytes;
        meta.subject.hop_index = hdr.copy.hop_index;
        meta.subject.sequence_kind = hdr.copy.sequence_kind;
        meta.subject.flow_id = hdr.copy.flow_id;
        meta.subject.generation = hdr.copy.generation;
        meta.subject.sequence = hdr.copy.sequence;
        transition select(hdr.ethernet.ether_type) {
            ETHERTYPE_IPV4: copy_ipv4;
            default: copy_ipv6;
        }
    }

    /* Ports, and what a copy over IPv6 has more: copies are cut to 60 bytes behind 32 others. */
    state copy_ipv4 {
        packet.extract(hdr.ipv4);
        meta.l4.protocol = hdr.ipv4.protocol;
        ports.apply(packet, meta);
        packet.advance(208);
        transition accept;
    }

    state copy_ipv6 {
        packet.extract(hdr.ipv6);
        meta.l4.protocol = hdr.ipv6.next_header;
        ports.apply(packet, meta);
        packet.advance(48);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        meta.target.standard.egress_port = eg_intr_md.egress_port;
        meta.feedback.is_copy = false;
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        transition select(hdr.bridge.kind) {
            BRIDGE_OF_SUBSCRIBER: parse_subject;
            default: parse_unsubscribed;
        }
    }

    state parse_unsubscribed {
        meta.feedback.is_subscribed = false;
        transition parse_frame;
    }

    state parse_subject {
        packet.extract(hdr.subject);
        meta.feedback.is_subscribed = true;
        meta.subject.sequence_kind = hdr.subject.sequence_kind;
        meta.subject.flow_id = hdr.subject.flow_id;
        meta.subject.generation = hdr.subject.generation;
        meta.subject.sequence = hdr.subject.sequence;
        transition parse_frame;
    }

    state parse_frame {
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TOFINO_HPCC_FEEDBACK_PARSERS_P4 */
