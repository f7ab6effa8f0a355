#ifndef INT_ADMISSION_P4
#define INT_ADMISSION_P4

#include "../config.p4"
#include "../headers.p4"
#include "../metadata.p4"

/*
 * Decides whether this node pushes its hop ("INT-MD Hop-by-Hop Processing" of INT v2.1): all or
 * nothing. A packet that cannot take the hop goes on unmodified but for the flag that the format
 * has for the reason, and is counted:
 *   E  the remaining hop count is already 0
 *   M  the hop would exceed the MTU of the egress link or the shim's 8-bit length
 */
control int_admission(inout headers_t hdr,
                      inout metadata_t meta,
                      in standard_metadata_t standard_metadata) {
    counter(UNSERVED_CAUSES, CounterType.packets) unserved;

    apply {
        meta.telemetry.push = false;
        meta.telemetry.flag_sum = 0;
        if (hdr.int_md.isValid()) {
            bit<32> grown_bytes = (bit<32>)hdr.ipv4.total_len + INT_HOP_BYTES;
            bit<16> grown_words = (bit<16>)hdr.int_shim.length + INT_HOP_WORDS;
            if (hdr.int_md.version != INT_VERSION ||
                hdr.int_md.domain_id != INT_DOMAIN_ID ||
                hdr.int_md.instructions != INT_INSTRUCTIONS ||
                hdr.int_md.ds_instructions != INT_DS_INSTRUCTIONS ||
                hdr.int_md.hop_words != INT_HOP_WORDS) {
                unserved.count(UNSERVED_UNKNOWN_INSTRUCTIONS);
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
        }
    }
}  /* int_admission */

#endif  /* INT_ADMISSION_P4 */
