#ifndef PORTABLE_INT_ROOMS_P4
#define PORTABLE_INT_ROOMS_P4

#include "../config.p4"
#include "../headers.p4"
#include "../metadata.p4"
#include "metadata.p4"

/*
 * How much room the lengths of a packet with an INT-MD header leave: differences that saturate at
 * zero, one less each than there is, so that a length that just fits leaves one. Tofino has no way
 * to shift a field into another width but its hash unit.
 */
control int_rooms(in headers_t hdr, inout metadata_t meta) {
    action measure_stack() {
        @in_hash { meta.room.int_bytes = 6w0 ++ hdr.int_shim.length ++ 2w0; }
        meta.room.stack_words = hdr.int_shim.length - INT_MD_WORDS;
    }

    action measure_udp_over_ipv4() {
        meta.room.l4_header = UDP_BYTES;
        meta.room.l4 = hdr.udp.length;
        meta.room.ip = hdr.ipv4.total_len |-| hdr.udp.length;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv4.total_len;
    }

    action measure_tcp_over_ipv4() {
        @in_hash { meta.room.l4_header = 10w0 ++ hdr.tcp.data_offset ++ 2w0; }
        meta.room.l4 = hdr.ipv4.total_len |-| IPV4_BYTES;
        meta.room.ip = IPV4_BYTES;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv4.total_len;
    }

    /* Of IPv6, the room for IP is first what UDP has too much. */
    action measure_udp_over_ipv6() {
        meta.room.l4_header = UDP_BYTES;
        meta.room.l4 = hdr.udp.length;
        meta.room.ip = hdr.udp.length |-| hdr.ipv6.payload_length;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv6.payload_length;
    }

    action measure_tcp_over_ipv6() {
        @in_hash { meta.room.l4_header = 10w0 ++ hdr.tcp.data_offset ++ 2w0; }
        meta.room.l4 = hdr.ipv6.payload_length;
        meta.room.ip = 0;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv6.payload_length;
    }

    action subtract_ipv4_headers() {
        meta.room.l4 = meta.room.l4 |-| meta.room.l4_header;
        meta.room.ip = meta.room.ip |-| (IPV4_BYTES - 1);
        meta.room.mtu = meta.room.mtu |-| (INT_HOP_BYTES - 1);
    }

    action subtract_ipv6_headers() {
        meta.room.l4 = meta.room.l4 |-| meta.room.l4_header;
        meta.room.ip = 1 |-| meta.room.ip;
        meta.room.mtu = meta.room.mtu |-| (IPV6_BYTES + INT_HOP_BYTES - 1);
    }

    action subtract_stack() {
        meta.room.l4 = meta.room.l4 |-| meta.room.int_bytes;
    }

    action subtract_shim() {
        meta.room.l4 = meta.room.l4 |-| (INT_SHIM_BYTES - 1);
    }

    apply {
        measure_stack();
        if (hdr.ipv4.isValid()) {
            if (hdr.udp.isValid()) {
                measure_udp_over_ipv4();
            } else {
                measure_tcp_over_ipv4();
            }
            subtract_ipv4_headers();
        } else {
            if (hdr.udp.isValid()) {
                measure_udp_over_ipv6();
            } else {
                measure_tcp_over_ipv6();
            }
            subtract_ipv6_headers();
        }
        subtract_stack();
        subtract_shim();
    }
}  /* int_rooms */

#endif  /* PORTABLE_INT_ROOMS_P4 */
