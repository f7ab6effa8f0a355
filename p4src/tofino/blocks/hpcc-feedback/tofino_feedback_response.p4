#ifndef TOFINO_FEEDBACK_RESPONSE_P4
#define TOFINO_FEEDBACK_RESPONSE_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "feedback_metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"

/* UDP header, header of the transport, and body. */
const bit<16> RESPONSE_UDP_BYTES = 64;

/*
 * Turns the copy of a subscribing packet into a switch response (docs/wire-formats.md), which looks
 * like an acknowledgement of the flow: addresses swapped, ports kept; or goes on to the receiver,
 * addresses kept, for receiver-based congestion control. Other headers than IP are the target's to
 * remove, and the UDP checksum is its to compute.
 */
control tofino_feedback_response(inout headers_t hdr, in metadata_t meta) {
    action write_transport() {
        hdr.udp.setValid();
        hdr.udp.src_port = meta.l4.src_port;
        hdr.udp.dst_port = HPCC_TRANSPORT_PORT;
        hdr.udp.length = RESPONSE_UDP_BYTES;
        hdr.udp.checksum = 0;
        hdr.hpcc.setValid();
        hdr.hpcc.version = HPCC_VERSION;
        hdr.hpcc.type = HPCC_SWITCH_RESPONSE;
        hdr.hpcc.flags = meta.feedback.flags;
        hdr.hpcc.flow_id = meta.subject.flow_id;
        hdr.hpcc.length = RESPONSE_BODY_BYTES;
        hdr.hpcc.generation = meta.subject.generation;
        hdr.hpcc.sequence = meta.subject.sequence;
    }

    action write_body() {
        hdr.response.setValid();
        hdr.response.hop_index = meta.subject.hop_index;
        hdr.response.sequence_kind = meta.subject.sequence_kind;
        hdr.response.protocol = meta.l4.protocol;
        hdr.response.src_port = meta.l4.src_port;
        hdr.response.dst_port = meta.l4.dst_port;
        hdr.response_hop.setValid();
        hdr.response_hop.node_id = meta.port.node_id;
        hdr.response_hop.ingress_port = (bit<16>)meta.subject.ingress_port;
        hdr.response_hop.egress_port = (bit<16>)meta.subject.egress_port;
        hdr.response_hop.queue_id = meta.subject.queue_id;
        hdr.response_hop.queue_bytes = meta.subject.queue_bytes[23:0];
        hdr.response_hop.egress_timestamp = (bit<64>)meta.subject.timestamp_ns;
        hdr.response_hop.tx_bytes = 32w0xFFFFFFFF ++ meta.subject.tx_bytes;
        hdr.response_hop.capacity_mbps = meta.port.capacity_mbps;
    }

    action address_ipv4() {
        hdr.response.ttl = hdr.ipv4.ttl;
        hdr.ipv4.ecn = 0;
        hdr.ipv4.total_len = IPV4_BYTES + RESPONSE_UDP_BYTES;
        hdr.ipv4.identification = 0;
        /* Not to be fragmented. */
        hdr.ipv4.flags = 2;
        hdr.ipv4.frag_offset = 0;
        hdr.ipv4.ttl = RESPONSE_TTL;
        hdr.ipv4.protocol = PROTOCOL_UDP;
    }

    action mark_ipv4() {
        hdr.ipv4.dscp = meta.feedback.dscp;
    }

    action return_ipv4() {
        ipv4_addr_t sender = hdr.ipv4.src_addr;
        hdr.ipv4.src_addr = hdr.ipv4.dst_addr;
        hdr.ipv4.dst_addr = sender;
    }

    action address_ipv6() {
        hdr.response.ttl = hdr.ipv6.hop_limit;
        hdr.ipv6.ecn = 0;
        hdr.ipv6.flow_label = 0;
        hdr.ipv6.payload_length = RESPONSE_UDP_BYTES;
        hdr.ipv6.next_header = PROTOCOL_UDP;
        hdr.ipv6.hop_limit = RESPONSE_TTL;
    }

    action mark_ipv6() {
        hdr.ipv6.dscp = meta.feedback.dscp;
    }

    action return_ipv6() {
        ipv6_addr_t sender = hdr.ipv6.src_addr;
        hdr.ipv6.src_addr = hdr.ipv6.dst_addr;
        hdr.ipv6.dst_addr = sender;
    }

    apply {
        write_transport();
        write_body();
        if (hdr.ipv4.isValid()) {
            address_ipv4();
            mark_ipv4();
            if (meta.feedback.flags == 0) {
                return_ipv4();
            }
        } else {
            address_ipv6();
            mark_ipv6();
            if (meta.feedback.flags == 0) {
                return_ipv6();
            }
        }
    }
}  /* tofino_feedback_response */

#endif  /* TOFINO_FEEDBACK_RESPONSE_P4 */
