#ifndef TNA_TELEMETRY_CHECKSUMS_P4
#define TNA_TELEMETRY_CHECKSUMS_P4

/*
 * Checksums by difference, of what egress may change. The length is in the pseudo-header of UDP and
 * TCP, and UDP has it once more; a block that is not there adds nothing. A condition in a deparser
 * is one bit.
 */
control telemetry_checksums(inout headers_t hdr, in metadata_t meta) {
    Checksum() ipv4_checksum;
    Checksum() udp_checksum;
    Checksum() tcp_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = ipv4_checksum.update({
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len,
                hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset, hdr.ipv4.ttl,
                hdr.ipv4.protocol, meta.tna.ipv4_rest });
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
    }
}  /* telemetry_checksums */

#endif  /* TNA_TELEMETRY_CHECKSUMS_P4 */
