#ifndef TNA_EDGE_DEPARSERS_P4
#define TNA_EDGE_DEPARSERS_P4

#include "packet.p4"
#include "../telemetry_checksums.p4"

/*
 * As ../telemetry_checksums.p4, with the stack that may have been taken out; egress, which never
 * has it, would keep room for it.
 */
control stack_checksums(inout headers_t hdr, in metadata_t meta) {
    Checksum() ipv4_checksum;
    Checksum() udp_checksum;
    Checksum() tcp_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = ipv4_checksum.update({
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len,
                hdr.ipv4.ttl, hdr.ipv4.protocol, meta.tna.ipv4_rest });
        }
        if (meta.tna.renews_udp == 1) {
            hdr.udp.checksum = udp_checksum.update({
                hdr.udp.length, hdr.udp.length, hdr.int_shim, hdr.int_md, hdr.hop_4, hdr.hop_3,
                hdr.hop_2, hdr.hop_1, meta.tna.l4_rest }, true);
        }
        if (meta.tna.renews_tcp == 1) {
            hdr.tcp.checksum = tcp_checksum.update({
                hdr.int_shim, hdr.int_md, hdr.hop_4, hdr.hop_3, hdr.hop_2, hdr.hop_1,
                meta.tna.pushed_bytes, meta.tna.l4_rest });
        }
    }
}

/* The packet, and the copy of it as it came in. */
control ingress_deparser(packet_out packet,
                         inout headers_t hdr,
                         in metadata_t meta,
                         in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    stack_checksums() renewal;
    Mirror() mirror;

    apply {
        if (ig_dprsr_md.mirror_type == MIRROR_REPORT) {
            mirror.emit<copy_t>(meta.session, { meta.copy_kind, 0 });
        }
        renewal.apply(hdr, meta);
        packet.emit(hdr.bridge);
        packet.emit(hdr.change);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.hop_4);
        packet.emit(hdr.hop_3);
        packet.emit(hdr.hop_2);
        packet.emit(hdr.hop_1);
    }
}

/* The packet, with a report around it if it is a copy. */
control egress_deparser(packet_out packet,
                        inout headers_t hdr,
                        in metadata_t meta,
                        in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    telemetry_checksums() renewal;
    Checksum() report_checksum;

    apply {
        renewal.apply(hdr, meta);
        if (hdr.report_ipv4.isValid()) {
            hdr.report_ipv4.checksum = report_checksum.update({
                hdr.report_ipv4.version, hdr.report_ipv4.ihl, hdr.report_ipv4.dscp,
                hdr.report_ipv4.ecn, hdr.report_ipv4.total_len, hdr.report_ipv4.identification,
                hdr.report_ipv4.flags, hdr.report_ipv4.frag_offset, hdr.report_ipv4.ttl,
                hdr.report_ipv4.protocol, hdr.report_ipv4.src_addr, hdr.report_ipv4.dst_addr });
        }
        packet.emit(hdr.ethernet);
        packet.emit(hdr.report_ipv4);
        packet.emit(hdr.report_udp);
        packet.emit(hdr.report);
        packet.emit(hdr.report_int);
        packet.emit(hdr.report_hop);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
    }
}

#endif  /* TNA_EDGE_DEPARSERS_P4 */
