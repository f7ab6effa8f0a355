#ifndef TOFINO_INT_HEADROOM_P4
#define TOFINO_INT_HEADROOM_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino_metadata.p4"

/*
 * Room that the lengths of a packet with an INT-MD header leave: differences that saturate at
 * zero, one less each than there is, so that a length that just fits leaves one. Tofino has no way
 * to shift a field into another width but its hash unit, and subtracts with saturation only fields:
 * constants are added to what is needed. No condition lasts longer than one step, and a room stands
 * first for what is needed: the lengths have to share one group of containers, of 12 on Tofino 2.
 */
control int_headroom(in headers_t hdr, inout metadata_t meta) {
    /* With the shim, less one. */
    action measure_stack() {
        @in_hash { meta.room.int_bytes = 6w0 ++ hdr.int_shim.length ++ 2w3; }
        @in_hash { meta.room.l4_header = 10w0 ++ hdr.tcp.data_offset ++ 2w0; }
        meta.room.stack_words = hdr.int_shim.length - INT_MD_WORDS;
    }

    action need_ipv4() {
        meta.room.ip = hdr.udp.length |+| (IPV4_BYTES - 1);
        meta.room.mtu = hdr.ipv4.total_len |+| (INT_HOP_BYTES - 1);
    }

    /* The room for IP is first what UDP has too much. */
    action need_ipv6() {
        meta.room.ip = hdr.udp.length |-| hdr.ipv6.payload_length;
        meta.room.mtu = hdr.ipv6.payload_length |+| (IPV6_BYTES + INT_HOP_BYTES - 1);
    }

    action need_udp() {
        meta.room.int_bytes = meta.room.int_bytes + UDP_BYTES;
    }

    action need_tcp() {
        meta.room.int_bytes = meta.room.int_bytes + meta.room.l4_header;
    }

    action need_ipv4_header() {
        meta.room.int_bytes = meta.room.int_bytes + IPV4_BYTES;
    }

    action leave_udp() {
        meta.room.l4 = hdr.udp.length |-| meta.room.int_bytes;
    }

    action leave_tcp_over_ipv4() {
        meta.room.l4 = hdr.ipv4.total_len |-| meta.room.int_bytes;
    }

    action leave_tcp_over_ipv6() {
        meta.room.l4 = hdr.ipv6.payload_length |-| meta.room.int_bytes;
    }

    action leave_ipv4() {
        meta.room.ip = hdr.ipv4.total_len |-| meta.room.ip;
    }

    action leave_ipv6() {
        meta.room.ip = 1 |-| meta.room.ip;
    }

    /* TCP has no length of its own. */
    action leave_all() {
        meta.room.ip = 1;
    }

    action leave_mtu() {
        meta.room.mtu = meta.port.mtu |-| meta.room.mtu;
    }

    apply {
        measure_stack();
        if (hdr.ipv4.isValid()) {
            need_ipv4();
        } else {
            need_ipv6();
        }
        leave_mtu();
        if (hdr.udp.isValid()) {
            need_udp();
        } else {
            need_tcp();
        }
        if (!hdr.udp.isValid()) {
            leave_all();
        } else if (hdr.ipv4.isValid()) {
            leave_ipv4();
        } else {
            leave_ipv6();
        }
        if (hdr.ipv4.isValid() && !hdr.udp.isValid()) {
            need_ipv4_header();
        }
        if (hdr.udp.isValid()) {
            leave_udp();
        } else if (hdr.ipv4.isValid()) {
            leave_tcp_over_ipv4();
        } else {
            leave_tcp_over_ipv6();
        }
    }
}  /* int_headroom */

#endif  /* TOFINO_INT_HEADROOM_P4 */
