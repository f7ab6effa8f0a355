#ifndef TOFINO_INT_STRIP_P4
#define TOFINO_INT_STRIP_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "edge_metadata.p4"

/*
 * Takes shim, INT-MD header and stack out of a packet where int_strip_decision.p4 has said that it
 * can be done, and keeps the lengths true; a sink puts the DSCP back that the source found.
 * Checksums, and what a target has of the stack, are the target's matter.
 */
control tofino_int_strip(inout headers_t hdr, inout metadata_t meta) {
    action remove() {
        hdr.udp.length = hdr.udp.length - meta.strip.bytes;
        meta.departure.frame_bytes = meta.departure.frame_bytes - meta.strip.frame_bytes;
        hdr.int_shim.setInvalid();
        hdr.int_md.setInvalid();
    }

    action shrink_ipv4() {
        hdr.ipv4.total_len = hdr.ipv4.total_len - meta.strip.bytes;
    }

    action shrink_ipv6() {
        hdr.ipv6.payload_length = hdr.ipv6.payload_length - meta.strip.bytes;
    }

    action restore_ipv4_dscp() {
        hdr.ipv4.dscp = hdr.int_shim.original_dscp;
    }

    action restore_ipv6_dscp() {
        @in_hash { hdr.ipv6.dscp = hdr.int_shim.original_dscp; }
    }

    apply {
        if (hdr.ipv4.isValid()) {
            shrink_ipv4();
            if (meta.strip.restores) {
                restore_ipv4_dscp();
            }
        } else {
            shrink_ipv6();
            if (meta.strip.restores) {
                restore_ipv6_dscp();
            }
        }
        remove();
    }
}  /* tofino_int_strip */

#endif  /* TOFINO_INT_STRIP_P4 */
