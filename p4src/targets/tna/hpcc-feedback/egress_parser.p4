#ifndef TNA_HPCC_FEEDBACK_EGRESS_PARSER_P4
#define TNA_HPCC_FEEDBACK_EGRESS_PARSER_P4

#include "packet.p4"
#include "../../../config.p4"
#include "../../../l4_parser.p4"
#include "../telemetry_parser.p4"

/*
 * Behind the bridge, to the INT-MD header. Of a copy, its addresses and ports; what else it needs
 * is in the header before it.
 */
parser egress_parser(packet_in packet,
                     out headers_t hdr,
                     out metadata_t meta,
                     out egress_intrinsic_metadata_t eg_intr_md) {
    Checksum() copy_rest;
    telemetry_parser() telemetry;
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
        meta.standard.egress_port = hdr.copy.egress_port;
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

    /* Ports, and what a copy over IPv6 has more: copies are cut to 58 bytes. */
    state copy_ipv4 {
        packet.extract(hdr.ipv4);
        copy_rest.subtract({ hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,
                             hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,
                             hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
                             hdr.ipv4.checksum });
        meta.tna.ipv4_rest = copy_rest.get();
        meta.l4.protocol = hdr.ipv4.protocol;
        ports.apply(packet, meta);
        packet.advance(192);
        transition accept;
    }

    state copy_ipv6 {
        packet.extract(hdr.ipv6);
        meta.l4.protocol = hdr.ipv6.next_header;
        ports.apply(packet, meta);
        packet.advance(32);
        transition accept;
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        meta.standard.egress_port = eg_intr_md.egress_port;
        meta.feedback.is_copy = false;
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        transition select(hdr.bridge.kind) {
            BRIDGE_OF_SUBSCRIBER: parse_subject;
            default: parse_unsubscribed;
        }
    }

    state parse_unsubscribed {
        meta.feedback.is_subscribed = false;
        transition parse_telemetry;
    }

    state parse_subject {
        packet.extract(hdr.subject);
        meta.feedback.is_subscribed = true;
        meta.l4.protocol = hdr.subject.protocol;
        meta.l4.src_port = hdr.subject.src_port;
        meta.l4.dst_port = hdr.subject.dst_port;
        meta.subject.sequence_kind = hdr.subject.sequence_kind;
        meta.subject.flow_id = hdr.subject.flow_id;
        meta.subject.generation = hdr.subject.generation;
        meta.subject.sequence = hdr.subject.sequence;
        transition parse_telemetry;
    }

    state parse_telemetry {
        telemetry.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TNA_HPCC_FEEDBACK_EGRESS_PARSER_P4 */
