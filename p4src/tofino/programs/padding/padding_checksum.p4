#ifndef TOFINO_PADDING_CHECKSUM_P4
#define TOFINO_PADDING_CHECKSUM_P4

#include "padding_headers.p4"
#include "tofino/target/length_checksum.p4"

/* Renews the checksums of a packet with a record more: a UDP checksum of zero stays. */
control padding_checksum(inout headers_t hdr, inout metadata_t meta) {
    length_checksum() ipv4;

    action renew_udp() {
        meta.target.renews_udp = 1;
    }

    apply {
        if (meta.telemetry.push) {
            ipv4.apply(hdr);
            if (hdr.udp.checksum != 0) {
                renew_udp();
            }
        }
    }
}  /* padding_checksum */

#endif  /* TOFINO_PADDING_CHECKSUM_P4 */
