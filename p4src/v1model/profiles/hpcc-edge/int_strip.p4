#ifndef INT_STRIP_P4
#define INT_STRIP_P4

#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "v1model/blocks/int_lengths.p4"
#include "v1model/blocks/l4_checksum.p4"

/*
 * Removes shim, INT-MD header and the whole stack, and keeps lengths and the TCP or UDP checksum
 * true, by difference. Does nothing, and gives zero bytes, where the version is unknown or the
 * lengths contradict each other. What the source of this switch has just added has no stack.
 */
control int_strip(inout headers_t hdr, out bit<32> stripped_bytes) {
    int_lengths() lengths;
    l4_checksum() checksum;
    bit<32> tcp_sum;
    bit<32> udp_sum;

    /* The complement of what the bytes add to a checksum. */
    action sum_with_stack(out bit<16> gone) {
        hash(gone, HashAlgorithm.csum16, 16w0, {
            hdr.int_shim.type, hdr.int_shim.npt, hdr.int_shim.reserved, hdr.int_shim.length,
            hdr.int_shim.reserved2, hdr.int_shim.original_dscp, hdr.int_shim.reserved3,
            hdr.int_md.version, hdr.int_md.d, hdr.int_md.e, hdr.int_md.m, hdr.int_md.reserved,
            hdr.int_md.hop_words, hdr.int_md.remaining_hops, hdr.int_md.instructions,
            hdr.int_md.domain_id, hdr.int_md.ds_instructions, hdr.int_md.ds_flags,
            hdr.int_stack.words }, 32w0x10000);
    }

    action sum_of_headers(out bit<16> gone) {
        hash(gone, HashAlgorithm.csum16, 16w0, {
            hdr.int_shim.type, hdr.int_shim.npt, hdr.int_shim.reserved, hdr.int_shim.length,
            hdr.int_shim.reserved2, hdr.int_shim.original_dscp, hdr.int_shim.reserved3,
            hdr.int_md.version, hdr.int_md.d, hdr.int_md.e, hdr.int_md.m, hdr.int_md.reserved,
            hdr.int_md.hop_words, hdr.int_md.remaining_hops, hdr.int_md.instructions,
            hdr.int_md.domain_id, hdr.int_md.ds_instructions, hdr.int_md.ds_flags }, 32w0x10000);
    }

    action remove(bit<16> gone) {
        bit<16> bytes = stripped_bytes[15:0];
        hdr.ipv4.total_len = hdr.ipv4.total_len - bytes;
        hdr.ipv6.payload_length = hdr.ipv6.payload_length - bytes;
        hdr.udp.length = hdr.udp.length - bytes;
        /* The length is in the pseudo-header, and in UDP's own header, too. */
        tcp_sum = (bit<32>)gone + (bit<32>)(~bytes);
        udp_sum = tcp_sum + (bit<32>)(~bytes);
        hdr.int_shim.setInvalid();
        hdr.int_md.setInvalid();
        hdr.int_stack.setInvalid();
    }

    apply {
        stripped_bytes = 0;
        if (hdr.int_md.isValid() && hdr.int_md.version == INT_VERSION &&
            (hdr.int_stack.isValid() || hdr.int_shim.length == INT_MD_WORDS)) {
            bool fits;
            bit<32> ip_bytes;
            lengths.apply(hdr, fits, ip_bytes);
            if (fits) {
                bit<16> gone;
                stripped_bytes = (bit<32>)INT_SHIM_BYTES + ((bit<32>)hdr.int_shim.length << 2);
                if (hdr.int_stack.isValid()) {
                    sum_with_stack(gone);
                } else {
                    sum_of_headers(gone);
                }
                remove(gone);
                checksum.apply(hdr, tcp_sum, udp_sum);
            }
        }
    }
}  /* int_strip */

#endif  /* INT_STRIP_P4 */
