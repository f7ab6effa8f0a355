#ifndef IPV6_ADMISSION_P4
#define IPV6_ADMISSION_P4

#include "../headers.p4"

/*
 * Decides whether a packet that is not IPv4 may be routed (RFC 8200 section 3): it is IPv6, its
 * payload lies within the frame, and its hop limit allows another hop. Sets `cause` when it may
 * not.
 */
control ipv6_admission(in headers_t hdr,
                       in standard_metadata_t standard_metadata,
                       out bool admitted,
                       out bit<32> cause) {
    apply {
        admitted = false;
        cause = DROP_BAD_IPV6;
        bit<32> frame_bytes = (bit<32>)hdr.ipv6.payload_length +
                              (bit<32>)IPV6_BYTES + (bit<32>)ETHERNET_BYTES;
        if (!hdr.ipv6.isValid()) {
            cause = DROP_NOT_IP;
        } else if (hdr.ipv6.version == 6 && frame_bytes <= standard_metadata.packet_length) {
            cause = DROP_TTL_EXPIRED;
            admitted = hdr.ipv6.hop_limit > 1;
        }
    }
}  /* ipv6_admission */

#endif  /* IPV6_ADMISSION_P4 */
