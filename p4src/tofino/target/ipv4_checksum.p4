#ifndef TOFINO_IPV4_CHECKSUM_P4
#define TOFINO_IPV4_CHECKSUM_P4

#include "sums.p4"

/* The header checksum by difference, so that damage stays visible and options need no parsing. */
control ipv4_checksum(inout headers_t hdr, in metadata_t meta) {
    Checksum() checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = checksum.update({ IPV4_FIELDS, meta.target.ipv4_rest });
        }
    }
}  /* ipv4_checksum */

#endif  /* TOFINO_IPV4_CHECKSUM_P4 */
