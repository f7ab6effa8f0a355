#ifndef TOFINO_HPCC_EDGE_DEPARSERS_P4
#define TOFINO_HPCC_EDGE_DEPARSERS_P4

#include "hpcc_edge_headers.p4"
#include "tofino/target/telemetry_checksums.p4"

/*
 * IPv4 always: each packet has lost of its TTL. UDP and TCP by difference, where ingress has added
 * shim and INT-MD header or taken out telemetry, of which nothing is left to add.
 */
control edge_checksums(inout headers_t hdr, in metadata_t meta) {
    Checksum() ipv4;
    Checksum() udp;
    Checksum() tcp;

    apply {
        hdr.ipv4.checksum = ipv4.update({
            hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len,
            hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset, hdr.ipv4.ttl,
            hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.target.ipv4_rest });
        if (meta.target.renews_udp == 1) {
            hdr.udp.checksum = udp.update({
                hdr.udp.length, hdr.udp.length, hdr.int_shim, hdr.int_md,
                meta.target.l4_rest }, true);
        }
        if (meta.target.renews_tcp == 1) {
            hdr.tcp.checksum = tcp.update({
                hdr.int_shim, hdr.int_md, meta.target.pushed_bytes, meta.target.l4_rest });
        }
    }
}  /* edge_checksums */

/* The packet, and the copy of it as it came in. */
control ingress_deparser(INGRESS_DEPARSER_PARAMETERS) {
    edge_checksums() renewal;
    Mirror() mirror;

    apply {
        if (ig_dprsr_md.mirror_type == MIRROR_REPORT) {
            mirror.emit<copy_t>(meta.sink.session, { meta.sink.copy_kind, 0 });
        }
        renewal.apply(hdr, meta);
        packet.emit(hdr);
    }
}

/* The packet, with a report around it if it is a copy, and the copy of it with the own hop. */
control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    telemetry_checksums() renewal;
    Checksum() report_checksum;
    Mirror() mirror;

    apply {
        if (eg_dprsr_md.mirror_type == MIRROR_REPORT) {
            mirror.emit<hop_copy_t>(meta.sink.session, {
                meta.sink.copy_kind, 0, meta.sink.ingress_port, meta.sink.egress_port,
                meta.sink.queue, meta.snapshot.timestamp_ns,
                meta.snapshot.tx_bytes, meta.port.capacity_mbps });
        }
        renewal.apply(hdr, meta);
        if (hdr.report_ipv4.isValid()) {
            hdr.report_ipv4.checksum = report_checksum.update({
                hdr.report_ipv4.version, hdr.report_ipv4.ihl, hdr.report_ipv4.dscp,
                hdr.report_ipv4.ecn, hdr.report_ipv4.total_len, hdr.report_ipv4.identification,
                hdr.report_ipv4.flags, hdr.report_ipv4.frag_offset, hdr.report_ipv4.ttl,
                hdr.report_ipv4.protocol, hdr.report_ipv4.src_addr, hdr.report_ipv4.dst_addr });
        }
        packet.emit(hdr);
    }
}

#endif  /* TOFINO_HPCC_EDGE_DEPARSERS_P4 */
