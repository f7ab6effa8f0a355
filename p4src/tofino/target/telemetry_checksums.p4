#ifndef TOFINO_TELEMETRY_CHECKSUMS_P4
#define TOFINO_TELEMETRY_CHECKSUMS_P4

/*
 * Checksums by difference, with the blocks of the stack that are named. The length is in the
 * pseudo-header of UDP and TCP, and UDP has it once more. A deparser of Tofino 1 adds what fields
 * hold, whether or not their header is there: so only blocks that are there may be named, or blocks
 * that nothing but the parser writes. A condition in a deparser is one bit.
 */
#define UDP_CHECKSUM(condition, name, ...) \
    if (meta.target.condition == 1) { \
        hdr.udp.checksum = name.update({ \
            hdr.udp.length, hdr.udp.length, hdr.int_shim, hdr.int_md, __VA_ARGS__ }, true); \
    }
#define TCP_CHECKSUM(condition, name, ...) \
    if (meta.target.condition == 1) { \
        hdr.tcp.checksum = name.update({ hdr.int_shim, hdr.int_md, __VA_ARGS__ }); \
    }

/* Updates the checksums for the changes of egress: it adds one block, or sets a flag. */
control telemetry_checksums(inout headers_t hdr, in metadata_t meta) {
    Checksum() udp;
    Checksum() tcp;
    Checksum() udp_with_hop;
    Checksum() tcp_with_hop;

    apply {
        UDP_CHECKSUM(renews_udp, udp, meta.target.l4_rest)
        TCP_CHECKSUM(renews_tcp, tcp, meta.target.l4_rest)
        UDP_CHECKSUM(renews_udp_with_hop, udp_with_hop, hdr.int_hop, meta.target.l4_rest)
        TCP_CHECKSUM(renews_tcp_with_hop, tcp_with_hop, hdr.int_hop, meta.target.pushed_bytes,
                     meta.target.l4_rest)
    }
}  /* telemetry_checksums */

#endif  /* TOFINO_TELEMETRY_CHECKSUMS_P4 */
