#ifndef MODEL_EDGE_CHECKSUMS_P4
#define MODEL_EDGE_CHECKSUMS_P4

#include "hpcc_edge_headers.p4"
#include "common/config.p4"
#include "v1model/blocks/ones_complement.p4"
#include "v1model/blocks/l4_checksum.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_strip.p4"

/* The complement of what shim, INT-MD header and stack add to a checksum. */
control int_complement(in headers_t hdr, out bit<16> complement) {
    apply {
        hash(complement, HashAlgorithm.csum16, 16w0, {
            hdr.int_shim.type, hdr.int_shim.npt, hdr.int_shim.reserved, hdr.int_shim.length,
            hdr.int_shim.reserved2, hdr.int_shim.original_dscp, hdr.int_shim.reserved3,
            hdr.int_md.version, hdr.int_md.d, hdr.int_md.e, hdr.int_md.m, hdr.int_md.reserved,
            hdr.int_md.hop_words, hdr.int_md.remaining_hops, hdr.int_md.instructions,
            hdr.int_md.domain_id, hdr.int_md.ds_instructions, hdr.int_md.ds_flags,
            hdr.int_stack.words }, 32w0x10000);
    }
}  /* int_complement */

/* The TCP or UDP checksum after a source has added telemetry. */
control source_checksum(inout headers_t hdr, inout metadata_t meta) {
    int_complement() fixed;
    l4_checksum() checksum;

    apply {
        if (meta.excess.adds) {
            bit<16> complement;
            fixed.apply(hdr, complement);
            bit<32> sum = (bit<32>)(~complement) + (bit<32>)INT_FIXED_BYTES;
            checksum.apply(hdr, sum, sum + (bit<32>)INT_FIXED_BYTES);
        }
    }
}  /* source_checksum */

/* Takes telemetry out with its stack, and keeps the TCP or UDP checksum true. */
control model_whole_strip(inout headers_t hdr, inout metadata_t meta) {
    int_complement() all;
    tofino_int_strip() strip;
    l4_checksum() checksum;

    apply {
        bit<16> complement;
        all.apply(hdr, complement);
        strip.apply(hdr, meta);
        hdr.int_stack.setInvalid();
        bit<32> less = (bit<32>)(~meta.strip.bytes);
        bit<32> sum = (bit<32>)complement + less;
        checksum.apply(hdr, sum, sum + less);
    }
}  /* model_whole_strip */

/* A header with options is not computed again: its DSCP has changed. */
control marked_checksum(inout headers_t hdr, in metadata_t meta) {
    apply {
        if (meta.strip.wanted && hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = checksum_plus(hdr.ipv4.checksum,
                0xFFFF - ((bit<32>)INT_DSCP << 2) + ((bit<32>)meta.l4.dscp << 2));
        }
    }
}  /* marked_checksum */

#endif  /* MODEL_EDGE_CHECKSUMS_P4 */
