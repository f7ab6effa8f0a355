#ifndef CARRIER_IP_LENGTH_P4
#define CARRIER_IP_LENGTH_P4

#include "../../packet.p4"

/* Bytes of the IP packet and of its header, as the header tells them. IPv4 has no options here. */
control ip_length(in headers_t hdr, out bit<32> packet_bytes, out bit<32> header_bytes) {
    apply {
        if (hdr.ipv6.isValid()) {
            header_bytes = (bit<32>)IPV6_BYTES;
            packet_bytes = (bit<32>)hdr.ipv6.payload_length + header_bytes;
        } else {
            header_bytes = (bit<32>)IPV4_BYTES;
            packet_bytes = (bit<32>)hdr.ipv4.total_len;
        }
    }
}  /* ip_length */

#endif  /* CARRIER_IP_LENGTH_P4 */
