#ifndef INT_LENGTHS_P4
#define INT_LENGTHS_P4

#include "common/config.p4"
#include "common/headers.p4"

/*
 * Checks that the lengths of a packet with an INT-MD header agree: `fits` if the stack lies inside
 * the datagram or segment, and that inside the IP packet. Where they contradict each other the
 * packet only looks like INT, or is damaged, and must not be touched. `ip_bytes` is the length of
 * the IP packet.
 */
control int_lengths(in headers_t hdr, out bool fits, out bit<32> ip_bytes) {
    bit<32> ip_header;
    bit<32> l4_header;
    bit<32> l4_bytes;

    action measure_udp_over_ipv4() {
        ip_header = (bit<32>)IPV4_BYTES;
        ip_bytes = (bit<32>)hdr.ipv4.total_len;
        l4_header = (bit<32>)UDP_BYTES;
        l4_bytes = (bit<32>)hdr.udp.length;
    }

    action measure_tcp_over_ipv4() {
        ip_header = (bit<32>)IPV4_BYTES;
        ip_bytes = (bit<32>)hdr.ipv4.total_len;
        l4_header = (bit<32>)hdr.tcp.data_offset << 2;
        l4_bytes = ip_bytes - ip_header;
    }

    action measure_udp_over_ipv6() {
        ip_header = (bit<32>)IPV6_BYTES;
        ip_bytes = (bit<32>)hdr.ipv6.payload_length + ip_header;
        l4_header = (bit<32>)UDP_BYTES;
        l4_bytes = (bit<32>)hdr.udp.length;
    }

    action measure_tcp_over_ipv6() {
        ip_header = (bit<32>)IPV6_BYTES;
        ip_bytes = (bit<32>)hdr.ipv6.payload_length + ip_header;
        l4_header = (bit<32>)hdr.tcp.data_offset << 2;
        l4_bytes = (bit<32>)hdr.ipv6.payload_length;
    }

    apply {
        if (hdr.ipv4.isValid() && hdr.udp.isValid()) {
            measure_udp_over_ipv4();
        } else if (hdr.ipv4.isValid()) {
            measure_tcp_over_ipv4();
        } else if (hdr.udp.isValid()) {
            measure_udp_over_ipv6();
        } else {
            measure_tcp_over_ipv6();
        }
        bit<32> int_bytes = (bit<32>)INT_SHIM_BYTES + ((bit<32>)hdr.int_shim.length << 2);
        fits = hdr.int_shim.length >= INT_MD_WORDS && l4_header + int_bytes <= l4_bytes &&
               ip_header + l4_bytes <= ip_bytes;
    }
}  /* int_lengths */

#endif  /* INT_LENGTHS_P4 */
