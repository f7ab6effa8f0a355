#ifndef TOFINO_HEADER_LENGTH_P4
#define TOFINO_HEADER_LENGTH_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "trim_metadata.p4"

/*
 * Lengths of the headers of a packet, which are kept once it is cut, and of its frame as it is,
 * less the telemetry that a cut one with INT gets.
 */
control header_length(in headers_t hdr, inout metadata_t meta) {
    /* Less one: the shim counts words. */
    action measure_int() {
        @in_hash { meta.trim.header_bytes = 6w0 ++ hdr.int_shim.length ++ 2w3; }
    }

    action measure_ipv4() {
        meta.trim.header_bytes = ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES;
        meta.trim.whole_bytes = hdr.ipv4.total_len |+| ETHERNET_BYTES;
    }

    action measure_ipv4_with_int() {
        meta.trim.header_bytes =
            meta.trim.header_bytes + (ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES + 1);
        meta.trim.whole_bytes = hdr.ipv4.total_len |-| (INT_HOP_BYTES - ETHERNET_BYTES);
    }

    action measure_ipv6() {
        meta.trim.header_bytes = ETHERNET_BYTES + IPV6_BYTES + UDP_BYTES;
        meta.trim.whole_bytes = hdr.ipv6.payload_length |+| (ETHERNET_BYTES + IPV6_BYTES);
    }

    action measure_ipv6_with_int() {
        meta.trim.header_bytes =
            meta.trim.header_bytes + (ETHERNET_BYTES + IPV6_BYTES + UDP_BYTES + 1);
        meta.trim.whole_bytes =
            hdr.ipv6.payload_length |+| (ETHERNET_BYTES + IPV6_BYTES - INT_HOP_BYTES);
    }

    apply {
        if (hdr.int_shim.isValid()) {
            measure_int();
            if (hdr.ipv4.isValid()) {
                measure_ipv4_with_int();
            } else {
                measure_ipv6_with_int();
            }
        } else if (hdr.ipv4.isValid()) {
            measure_ipv4();
        } else {
            measure_ipv6();
        }
    }
}  /* header_length */

#endif  /* TOFINO_HEADER_LENGTH_P4 */
