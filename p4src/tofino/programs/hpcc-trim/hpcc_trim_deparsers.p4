#ifndef TOFINO_HPCC_TRIM_DEPARSERS_P4
#define TOFINO_HPCC_TRIM_DEPARSERS_P4

#include "hpcc_trim_headers.p4"
#include "tofino/target/ingress_deparser.p4"
#include "tofino/target/ipv4_checksum.p4"
#include "tofino/target/telemetry_checksums.p4"

control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    telemetry_checksums() checksums;
    ipv4_checksum() ip;
    Mirror(MIRROR_HEADER) copy;

    apply {
        if (eg_dprsr_md.mirror_type == MIRROR_HEADER) {
            copy.emit<bridge_t>(meta.target.session, {
                hdr.bridge.kind, hdr.bridge.ingress_port, hdr.bridge.session,
                hdr.bridge.frame_bytes, hdr.bridge.queue_bytes, hdr.bridge.dscp, 0 });
        }
        checksums.apply(hdr, meta);
        ip.apply(hdr, meta);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
    }
}  /* egress_deparser */

#endif  /* TOFINO_HPCC_TRIM_DEPARSERS_P4 */
