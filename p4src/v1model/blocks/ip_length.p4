#ifndef IP_LENGTH_P4
#define IP_LENGTH_P4

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

#endif  /* IP_LENGTH_P4 */
