#ifndef TOFINO_PADDING_CHECKSUM_P4
#define TOFINO_PADDING_CHECKSUM_P4

#include "padding_headers.p4"

/* Decides whether the deparser renews the UDP checksum: one of zero stays. */
control padding_checksum(in headers_t hdr, inout metadata_t meta) {
    action renew_udp() {
        meta.target.renews_udp = 1;
    }

    apply {
        if (hdr.padding.isValid() && hdr.udp.checksum != 0) {
            renew_udp();
        }
    }
}  /* padding_checksum */

#endif  /* TOFINO_PADDING_CHECKSUM_P4 */
