#ifndef FEEDBACK_RESPONSE_P4
#define FEEDBACK_RESPONSE_P4

#include "common/feedback_format.p4"
#include "common/headers.p4"
#include "common/config.p4"
#include "common/metadata.p4"

/*
 * Cuts what is left of the payload of the packet that caused a switch response. It happens when the
 * response leaves, since bmv2 forgets about `truncate` when it recirculates; the length that is
 * counted is the one that is sent. One with telemetry was not made here, and grows as every packet
 * does.
 */
control response_trim(in headers_t hdr, inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.hpcc.isValid() && hdr.hpcc.type == HPCC_SWITCH_RESPONSE &&
            !hdr.int_shim.isValid()) {
            bit<32> frame_bytes = (bit<32>)ETHERNET_BYTES;
            if (hdr.ipv4.isValid()) {
                frame_bytes = frame_bytes + (bit<32>)hdr.ipv4.total_len;
            } else {
                frame_bytes = frame_bytes + (bit<32>)IPV6_BYTES + (bit<32>)hdr.ipv6.payload_length;
            }
            standard_metadata.packet_length = frame_bytes;
            truncate(frame_bytes);
        }
    }
}  /* response_trim */

/*
 * Turns a clone of a subscribing packet into a switch response (docs/wire-formats.md), which
 * carries the sequence number of that packet and the block of this node, and sends it through
 * ingress, where it is routed like any packet. It looks like an acknowledgement of the flow:
 * addresses swapped, ports kept; or goes on to the receiver, addresses kept, for receiver-based
 * congestion control.
 */
control feedback_response(inout headers_t hdr,
                          inout metadata_t meta,
                          inout standard_metadata_t standard_metadata) {
    action number(bit<8> kind, bit<16> flow_id, bit<16> generation, bit<64> sequence) {
        hdr.response.setValid();
        hdr.response.sequence_kind = kind;
        hdr.hpcc.setValid();
        hdr.hpcc.flow_id = flow_id;
        hdr.hpcc.generation = generation;
        hdr.hpcc.sequence = sequence;
    }

    action write_message() {
        hdr.hpcc.version = HPCC_VERSION;
        hdr.hpcc.type = HPCC_SWITCH_RESPONSE;
        hdr.hpcc.flags = meta.feedback.to_receiver ? RESPONSE_TO_RECEIVER : 8w0;
        hdr.hpcc.length = RESPONSE_BODY_BYTES;
        hdr.response.hop_index = meta.feedback.hop_index;
        hdr.response.protocol = meta.feedback.protocol;
        hdr.response.src_port = meta.feedback.src_port;
        hdr.response.dst_port = meta.feedback.dst_port;
        hdr.response_hop.setValid();
        hdr.response_hop = { meta.port.node_id, meta.feedback.ingress_port,
                             meta.feedback.egress_port, meta.feedback.queue_id,
                             meta.snapshot.queue_bytes, meta.snapshot.timestamp_ns,
                             meta.snapshot.tx_bytes, meta.port.capacity_mbps };
        hdr.udp.setValid();
        hdr.udp = { meta.feedback.src_port, HPCC_TRANSPORT_PORT,
                    UDP_BYTES + HPCC_TRANSPORT_BYTES + RESPONSE_BODY_BYTES, 0 };
    }

    action drop_other_headers() {
        hdr.tcp.setInvalid();
        hdr.tcp_options.setInvalid();
        hdr.int_shim.setInvalid();
        hdr.int_md.setInvalid();
        hdr.int_hop.setInvalid();
        hdr.int_stack.setInvalid();
        hdr.bth.setInvalid();
    }

    action address_ipv4() {
        ipv4_addr_t sender = hdr.ipv4.src_addr;
        ipv4_addr_t receiver = hdr.ipv4.dst_addr;
        hdr.response.ttl = hdr.ipv4.ttl;
        hdr.ipv4 = { 4, 5, meta.feedback.dscp, 0, IPV4_BYTES + hdr.udp.length, 0, 2, 0,
                     RESPONSE_TTL, PROTOCOL_UDP, 0, receiver, sender };
        if (meta.feedback.to_receiver) {
            hdr.ipv4.src_addr = sender;
            hdr.ipv4.dst_addr = receiver;
        }
    }

    action address_ipv6() {
        ipv6_addr_t sender = hdr.ipv6.src_addr;
        ipv6_addr_t receiver = hdr.ipv6.dst_addr;
        hdr.response.ttl = hdr.ipv6.hop_limit;
        hdr.ipv6 = { 6, meta.feedback.dscp, 0, 0, hdr.udp.length, PROTOCOL_UDP, RESPONSE_TTL,
                     receiver, sender };
        if (meta.feedback.to_receiver) {
            hdr.ipv6.src_addr = sender;
            hdr.ipv6.dst_addr = receiver;
        }
    }

    apply {
        if (hdr.hpcc.isValid()) {
            number(SEQUENCE_HPCC, hdr.hpcc.flow_id, hdr.hpcc.generation, hdr.hpcc.sequence);
        } else if (hdr.tcp.isValid()) {
            number(SEQUENCE_TCP, 0, 0, (bit<64>)hdr.tcp.sequence);
        } else if (hdr.bth.isValid()) {
            number(SEQUENCE_ROCE, 0, 0, (bit<64>)hdr.bth.psn);
        } else {
            number(SEQUENCE_NONE, 0, 0, 0);
        }
        write_message();
        drop_other_headers();
        if (hdr.ipv4.isValid()) {
            address_ipv4();
        } else {
            address_ipv6();
        }
        recirculate_preserving_field_list(NO_FIELDS);
    }
}  /* feedback_response */

#endif  /* FEEDBACK_RESPONSE_P4 */
