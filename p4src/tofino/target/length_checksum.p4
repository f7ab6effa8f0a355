#ifndef TOFINO_LENGTH_CHECKSUM_P4
#define TOFINO_LENGTH_CHECKSUM_P4

#include "common/config.p4"
#include "common/headers.p4"

/*
 * Header checksum of IPv4 for a total length greater by a hop, as RFC 1624 has it: damage stays
 * visible. The bytes of a hop are a power of two.
 */
control length_checksum(inout headers_t hdr) {
    action subtract() {
        hdr.ipv4.checksum = hdr.ipv4.checksum - INT_HOP_BYTES;
    }

    action subtract_with_carry() {
        hdr.ipv4.checksum = hdr.ipv4.checksum - INT_HOP_BYTES - 1;
    }

    table step {
        key = { hdr.ipv4.checksum : ternary @name("checksum"); }
        actions = { subtract; subtract_with_carry; }
        const default_action = subtract;
        size = 1;
        const entries = {
            0 &&& (16w0 - INT_HOP_BYTES) : subtract_with_carry();
        }
    }

    apply {
        if (hdr.ipv4.isValid()) {
            step.apply();
        }
    }
}  /* length_checksum */

#endif  /* TOFINO_LENGTH_CHECKSUM_P4 */
