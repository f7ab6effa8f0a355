#ifndef IP_ADMISSION_P4
#define IP_ADMISSION_P4

#include "common/headers.p4"

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

/* Decides whether a packet may be routed; sets `cause` when it may not. */
control ip_admission(in headers_t hdr,
                     in standard_metadata_t standard_metadata,
                     out bool admitted,
                     out bit<32> cause) {
    ipv4_admission() ipv4;
    ipv6_admission() ipv6;

    apply {
        if (hdr.ipv4.isValid()) {
            ipv4.apply(hdr, standard_metadata, admitted, cause);
        } else {
            ipv6.apply(hdr, standard_metadata, admitted, cause);
        }
    }
}  /* ip_admission */

#endif  /* IP_ADMISSION_P4 */
