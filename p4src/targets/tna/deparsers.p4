#ifndef TNA_DEPARSERS_P4
#define TNA_DEPARSERS_P4

#include "packet.p4"
#include "ingress_deparser.p4"

/*
 * Checksums by difference, of what telemetry has changed. The length is in the pseudo-header of
 * UDP and TCP, and UDP has it once more; a block that is not there adds nothing. A condition here
 * is one bit.
 */
control egress_deparser(packet_out packet,
                        inout headers_t hdr,
                        in metadata_t meta,
                        in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    Checksum() ipv4_checksum;
    Checksum() udp_checksum;
    Checksum() tcp_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = ipv4_checksum.update({ hdr.ipv4.total_len, meta.tna.ipv4_rest });
        }
        if (meta.tna.renews_udp == 1) {
            hdr.udp.checksum = udp_checksum.update({
                hdr.udp.length, hdr.udp.length, hdr.int_shim, hdr.int_md, hdr.int_hop,
                meta.tna.l4_rest }, true);
        }
        if (meta.tna.renews_tcp == 1) {
            hdr.tcp.checksum = tcp_checksum.update({
                hdr.int_shim, hdr.int_md, hdr.int_hop, meta.tna.pushed_bytes, meta.tna.l4_rest });
        }
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
    }
}

#endif  /* TNA_DEPARSERS_P4 */
