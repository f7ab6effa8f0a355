#ifndef L4_CHECKSUM_P4
#define L4_CHECKSUM_P4

#include "common/headers.p4"
#include "ones_complement.p4"

/*
 * Adds to the checksum of UDP or TCP, whichever there is. A UDP checksum of zero means "none" and
 * stays zero; a result of zero is sent as all ones (RFC 768).
 */
control l4_checksum(inout headers_t hdr, in bit<32> tcp_added, in bit<32> udp_added) {
    action add_to_udp() {
        hdr.udp.checksum = checksum_plus(hdr.udp.checksum, udp_added);
    }

    action add_to_tcp() {
        hdr.tcp.checksum = checksum_plus(hdr.tcp.checksum, tcp_added);
    }

    apply {
        if (hdr.tcp.isValid()) {
            add_to_tcp();
        } else if (hdr.udp.checksum != 0) {
            add_to_udp();
            if (hdr.udp.checksum == 0) {
                hdr.udp.checksum = 0xFFFF;
            }
        }
    }
}  /* l4_checksum */

#endif  /* L4_CHECKSUM_P4 */
