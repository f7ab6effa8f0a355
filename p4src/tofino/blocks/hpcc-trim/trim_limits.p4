#ifndef TOFINO_TRIM_LIMITS_P4
#define TOFINO_TRIM_LIMITS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "trim_metadata.p4"
#include "header_length.p4"

/*
 * Tells which packets may be cut to their headers, and to what, by the rules of packet_trim.p4 and
 * with its table. Nothing of it waits for the route.
 */
control trim_limits(in headers_t hdr, inout metadata_t meta) {
    header_length() headers;

    action read_shim_dscp() {
        meta.trim.dscp = hdr.int_shim.original_dscp;
    }

    action read_ipv4_dscp() {
        meta.trim.dscp = hdr.ipv4.dscp;
    }

    action read_ipv6_dscp() {
        meta.trim.dscp = hdr.ipv6.dscp;
    }

    action trim_above(bit<32> queue_bytes, bit<16> kept_bytes, bit<6> trimmed_dscp,
                      bit<3> queue) {
        meta.trim.is_trimmable = true;
        meta.trim.queue_bytes = queue_bytes;
        meta.trim.frame_bytes = kept_bytes;
        meta.trim.trimmed_dscp = 10w0 ++ trimmed_dscp;
        meta.trim.queue = queue;
    }

    action serve_first(bit<3> queue) {
        meta.trim.is_header = true;
        meta.trim.queue = queue;
    }

    action leave_whole() {
    }

    table trim_of_dscp {
        key = { meta.trim.dscp : exact @name("dscp"); }
        actions = { trim_above; serve_first; leave_whole; }
        const default_action = leave_whole;
        size = 64;
    }

    action add_headers() {
        meta.trim.frame_bytes = meta.trim.frame_bytes + meta.trim.header_bytes;
    }

    /* No two fields are compared, so a difference saturates. */
    action leave_excess() {
        meta.trim.excess = meta.trim.whole_bytes |-| meta.trim.frame_bytes;
    }

    apply {
        meta.trim.is_trimmable = false;
        meta.trim.is_header = false;
        if (hdr.int_shim.isValid()) {
            read_shim_dscp();
        } else if (hdr.ipv4.isValid()) {
            read_ipv4_dscp();
        } else {
            read_ipv6_dscp();
        }
        headers.apply(hdr, meta);
        trim_of_dscp.apply();
        add_headers();
        leave_excess();
    }
}  /* trim_limits */

#endif  /* TOFINO_TRIM_LIMITS_P4 */
