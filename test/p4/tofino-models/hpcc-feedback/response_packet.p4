#ifndef MODEL_RESPONSE_PACKET_P4
#define MODEL_RESPONSE_PACKET_P4

#include "hpcc_feedback_headers.p4"

/* Describes a packet's departure for its copy. */
control response_subject(inout metadata_t meta) {
    action describe_packet() {
        meta.subject.ingress_port = meta.departure.ingress_port;
        meta.subject.egress_port = meta.departure.egress_port;
        meta.subject.queue_id = meta.departure.queue_id;
        meta.subject.queue_bytes = meta.departure.queue_bytes;
        meta.subject.timestamp_ns = meta.departure.timestamp_ns;
        meta.subject.tx_bytes = meta.snapshot.tx_bytes[31:0];
    }

    apply {
        describe_packet();
    }
}  /* response_subject */

/* Removes what a response does not keep of the packet that it is a copy of. */
control response_headers(inout headers_t hdr) {
    action drop_other_headers() {
        hdr.tcp.setInvalid();
        hdr.tcp_options.setInvalid();
        hdr.int_shim.setInvalid();
        hdr.int_md.setInvalid();
        hdr.int_hop.setInvalid();
        hdr.four_older.setInvalid();
        hdr.two_older.setInvalid();
        hdr.one_older.setInvalid();
        hdr.bth.setInvalid();
    }

    apply {
        drop_other_headers();
    }
}  /* response_headers */

/*
 * Cuts what is left of the payload when the response leaves, since bmv2 forgets about `truncate`
 * when it recirculates; the length that is counted is the one that is sent.
 */
control model_response_trim(in headers_t hdr,
                      in metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    apply {
        if (meta.copy.has_tail) {
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
}  /* model_response_trim */

#endif  /* MODEL_RESPONSE_PACKET_P4 */
