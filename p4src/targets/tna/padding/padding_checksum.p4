#ifndef TNA_PADDING_CHECKSUM_P4
#define TNA_PADDING_CHECKSUM_P4

#include "packet.p4"

/* Whether the deparser renews the UDP checksum: one of zero stays. */
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

#endif  /* TNA_PADDING_CHECKSUM_P4 */
