#ifndef TOFINO_TTL_CHECKSUM_P4
#define TOFINO_TTL_CHECKSUM_P4

#include "common/headers.p4"

/*
 * Header checksum of IPv4 for a TTL less by one, as RFC 1624 has it, so that options need no
 * parsing. The TTL is the high byte of its word.
 */
control ttl_checksum(inout headers_t hdr) {
    action add() {
        hdr.ipv4.checksum = hdr.ipv4.checksum + 0x0100;
    }

    action add_with_carry() {
        hdr.ipv4.checksum = hdr.ipv4.checksum + 0x0101;
    }

    table step {
        key = { hdr.ipv4.checksum : ternary @name("checksum"); }
        actions = { add; add_with_carry; }
        const default_action = add;
        size = 2;
        const entries = {
            0xFEFF            : add_with_carry();
            0xFF00 &&& 0xFF00 : add_with_carry();
        }
    }

    apply {
        if (hdr.ipv4.isValid()) {
            step.apply();
        }
    }
}  /* ttl_checksum */

#endif  /* TOFINO_TTL_CHECKSUM_P4 */
