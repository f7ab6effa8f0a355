#ifndef ECN_CONGESTED_P4
#define ECN_CONGESTED_P4

#include "hpcc_ccm_headers.p4"


/*
 * Marks an ECN-capable packet as one that has met congestion (RFC 3168 section 5). The checksum of
 * an IPv4 header with options is not updated here, so that such a header stays.
 */
control ecn_congested(inout headers_t hdr) {
    apply {
        if (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5 && hdr.ipv4.ecn != 0) {
            hdr.ipv4.ecn = 3;
        } else if (hdr.ipv6.isValid() && hdr.ipv6.ecn != 0) {
            hdr.ipv6.ecn = 3;
        }
    }
}  /* ecn_congested */

#endif  /* ECN_CONGESTED_P4 */
