#ifndef TOFINO_INT_HEADERS_P4
#define TOFINO_INT_HEADERS_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "edge_metadata.p4"

/* Adds shim and INT-MD header with an empty stack, and keeps the lengths true. */
control int_headers(inout headers_t hdr, inout metadata_t meta) {
    action add_headers() {
        hdr.int_shim.setValid();
        hdr.int_shim.type = INT_TYPE_MD;
        hdr.int_shim.npt = INT_NPT_NONE;
        hdr.int_shim.reserved = 0;
        hdr.int_shim.length = INT_MD_WORDS;
        hdr.int_shim.reserved2 = 0;
        hdr.int_shim.reserved3 = 0;
        hdr.int_md.setValid();
        hdr.int_md.version = INT_VERSION;
        hdr.int_md.d = 0;
        hdr.int_md.e = 0;
        hdr.int_md.m = 0;
        hdr.int_md.reserved = 0;
        hdr.int_md.hop_words = INT_HOP_WORDS;
        hdr.int_md.remaining_hops = meta.source.max_hops;
        hdr.int_md.instructions = INT_INSTRUCTIONS;
        hdr.int_md.domain_id = INT_DOMAIN_ID;
        hdr.int_md.ds_instructions = INT_DS_INSTRUCTIONS;
        hdr.int_md.ds_flags = 0;
        hdr.udp.length = hdr.udp.length + INT_FIXED_BYTES;
        meta.departure.frame_bytes = meta.departure.frame_bytes + (bit<32>)INT_FIXED_BYTES;
    }

    /* Apart: what is moved within a byte stands in no action with constants. */
    action keep_dscp() {
        hdr.int_shim.original_dscp = meta.l4.dscp;
    }

    action grow_ipv4() {
        hdr.ipv4.dscp = INT_DSCP;
        hdr.ipv4.total_len = hdr.ipv4.total_len + INT_FIXED_BYTES;
    }

    action grow_ipv6() {
        hdr.ipv6.dscp = INT_DSCP;
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + INT_FIXED_BYTES;
    }

    apply {
        add_headers();
        keep_dscp();
        if (hdr.ipv4.isValid()) {
            grow_ipv4();
        } else {
            grow_ipv6();
        }
    }
}  /* int_headers */

#endif  /* TOFINO_INT_HEADERS_P4 */
