#ifndef CARRIER_IP_GROWTH_P4
#define CARRIER_IP_GROWTH_P4

#include "../../packet.p4"

/* Adds to the length of the IP packet; the IPv4 checksum is computed again before deparsing. */
control ip_growth(inout headers_t hdr, in bit<16> bytes) {
    apply {
        if (hdr.ipv6.isValid()) {
            hdr.ipv6.payload_length = hdr.ipv6.payload_length + bytes;
        } else {
            hdr.ipv4.total_len = hdr.ipv4.total_len + bytes;
        }
    }
}  /* ip_growth */

#endif  /* CARRIER_IP_GROWTH_P4 */
