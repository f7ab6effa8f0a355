#ifndef TOFINO_HPCC_FEEDBACK_DEPARSERS_P4
#define TOFINO_HPCC_FEEDBACK_DEPARSERS_P4

#include "hpcc_feedback_headers.p4"
#include "tofino/target/ingress_deparser.p4"
#include "tofino/target/ipv4_checksum.p4"
#include "tofino/target/telemetry_checksums.p4"

/* A response is all headers, so its checksums are made of them. */
control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    telemetry_checksums() checksums;
    ipv4_checksum() ip;
    Checksum() response_checksum;
    Mirror(MIRROR_COPY) copy;

    apply {
        if (eg_dprsr_md.mirror_type == MIRROR_COPY) {
            copy.emit<copy_t>(meta.feedback.session, {
                hdr.bridge.kind, hdr.bridge.ingress_port, meta.copy.place[15:9],
                meta.copy.place[8:0], meta.departure.queue_bytes, meta.departure.timestamp_ns,
                meta.snapshot.tx_bytes[31:0], meta.subject.hop_index, meta.subject.sequence_kind,
                meta.subject.flow_id, meta.subject.generation, meta.subject.sequence });
        }
        checksums.apply(hdr, meta);
        ip.apply(hdr, meta);
        if (hdr.response.isValid()) {
            hdr.udp.checksum = response_checksum.update({
                hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv6.src_addr, hdr.ipv6.dst_addr,
                meta.copy.protocol, hdr.udp.length, hdr.udp.src_port, hdr.udp.dst_port,
                hdr.udp.length, hdr.hpcc, hdr.response, hdr.response_hop }, true);
        }
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.hpcc);
        packet.emit(hdr.response);
        packet.emit(hdr.response_hop);
    }
}  /* egress_deparser */

#endif  /* TOFINO_HPCC_FEEDBACK_DEPARSERS_P4 */
