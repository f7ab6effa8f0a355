#ifndef IPV4_ADMISSION_P4
#define IPV4_ADMISSION_P4

#include "../headers.p4"

/*
 * Decides whether an IPv4 packet may be routed, as RFC 1812 section 5.2.2 asks: version, header
 * length, checksum, total length within the frame, time to live. Sets `cause` when it may not.
 */
control ipv4_admission(in headers_t hdr,
                       in standard_metadata_t standard_metadata,
                       out bool admitted,
                       out bit<32> cause) {
    apply {
        admitted = false;
        cause = DROP_BAD_IPV4;
        bit<32> frame_bytes = (bit<32>)hdr.ipv4.total_len + (bit<32>)ETHERNET_BYTES;
        if (hdr.ipv4.version == 4 && hdr.ipv4.ihl >= 5 && standard_metadata.checksum_error == 0 &&
            frame_bytes <= standard_metadata.packet_length) {
            cause = DROP_TTL_EXPIRED;
            admitted = hdr.ipv4.ttl > 1;
        }
    }
}  /* ipv4_admission */

#endif  /* IPV4_ADMISSION_P4 */
