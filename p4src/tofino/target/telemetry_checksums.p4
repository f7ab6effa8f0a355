#ifndef TOFINO_TELEMETRY_CHECKSUMS_P4
#define TOFINO_TELEMETRY_CHECKSUMS_P4

#include "ipv4_checksum.p4"

/*
 * Checksums by difference, with what blocks there may be of the stack. The length is in the
 * pseudo-header of UDP and TCP, and UDP has it once more; a block that is not there adds nothing. A
 * condition in a deparser is one bit.
 */
#define RENEW_CHECKSUMS(...) \
    ip.apply(hdr, meta); \
    if (meta.target.renews_udp == 1) { \
        hdr.udp.checksum = udp_checksum.update({ \
            hdr.udp.length, hdr.udp.length, hdr.int_shim, hdr.int_md, __VA_ARGS__, \
            meta.target.l4_rest }, true); \
    } \
    if (meta.target.renews_tcp == 1) { \
        hdr.tcp.checksum = tcp_checksum.update({ \
            hdr.int_shim, hdr.int_md, __VA_ARGS__, meta.target.pushed_bytes, \
            meta.target.l4_rest }); \
    }

/* Updates the checksums for the changes of egress: it adds one block. */
control telemetry_checksums(inout headers_t hdr, in metadata_t meta) {
    ipv4_checksum() ip;
    Checksum() udp_checksum;
    Checksum() tcp_checksum;

    apply {
        RENEW_CHECKSUMS(hdr.int_hop)
    }
}  /* telemetry_checksums */

#endif  /* TOFINO_TELEMETRY_CHECKSUMS_P4 */
