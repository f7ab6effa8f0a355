#ifndef INT_ADMISSION_P4
#define INT_ADMISSION_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "int_lengths.p4"

/*
 * Decides whether this node pushes its hop ("INT-MD Hop-by-Hop Processing" of INT v2.1): all or
 * nothing. A packet that cannot take the hop goes on unmodified but for the flag that the format
 * has for the reason, and is counted:
 *   E  the remaining hop count is already 0
 *   M  the hop would exceed the MTU of the egress link or the shim's 8-bit length
 * The node can serve one set of instructions, which needs `hop_words` words per hop. Lengths that
 * contradict each other are never touched: the packet is no INT packet then, or damaged.
 */
control int_admission(inout headers_t hdr,
                      inout metadata_t meta,
                      in standard_metadata_t standard_metadata)
                     (bit<16> instructions, bit<16> ds_instructions, bit<8> hop_words) {
    counter(UNSERVED_CAUSES, CounterType.packets) unserved;

    int_lengths() lengths;

    apply {
        meta.telemetry.push = false;
        meta.telemetry.flag_sum = 0;
        if (hdr.int_md.isValid()) {
            bool fits;
            bit<32> ip_bytes;
            lengths.apply(hdr, fits, ip_bytes);
            /* A stack is a whole number of blocks; targets multiply but do not divide. */
            bit<32> stack_words = (bit<32>)(hdr.int_shim.length - INT_MD_WORDS);
            bit<32> blocks = stack_words * ((2047 + (bit<32>)hop_words) / (bit<32>)hop_words) >> 11;
            bool is_whole = blocks * (bit<32>)hop_words == stack_words;
            bit<16> grown_words = (bit<16>)hdr.int_shim.length + (bit<16>)hop_words;
            bit<32> grown_bytes = ip_bytes + ((bit<32>)hop_words << 2);
            if (hdr.int_md.version != INT_VERSION ||
                hdr.int_md.domain_id != INT_DOMAIN_ID ||
                hdr.int_md.instructions != instructions ||
                hdr.int_md.ds_instructions != ds_instructions ||
                (bit<8>)hdr.int_md.hop_words != hop_words) {
                unserved.count(hdr.int_md.version != INT_VERSION ? UNSERVED_UNKNOWN_VERSION
                                                                 : UNSERVED_UNKNOWN_INSTRUCTIONS);
            } else if (!fits || !is_whole) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (hdr.int_md.remaining_hops == 0) {
                meta.telemetry.flag_sum = hdr.int_md.e == 0 ? 32w0x0400 : 0;
                hdr.int_md.e = 1;
                unserved.count(UNSERVED_HOP_LIMIT);
            } else if (grown_bytes > (bit<32>)meta.port.mtu || grown_words > 255) {
                meta.telemetry.flag_sum = hdr.int_md.m == 0 ? 32w0x0200 : 0;
                hdr.int_md.m = 1;
                unserved.count(UNSERVED_MTU);
            } else {
                meta.telemetry.push = true;
            }
        } else if (hdr.int_shim.isValid()) {
            unserved.count(UNSERVED_UNKNOWN_VERSION);
        }
    }
}  /* int_admission */

#endif  /* INT_ADMISSION_P4 */
