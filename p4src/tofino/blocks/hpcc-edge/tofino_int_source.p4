#ifndef TOFINO_INT_SOURCE_P4
#define TOFINO_INT_SOURCE_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "edge_metadata.p4"
#include "int_headers.p4"

/*
 * Adds shim and an INT-MD header as int_source.p4 does, for targets that
 * compare no two fields: a table of constants looks at what is too much of the lengths. Checksums
 * are the target's matter. A port record with an MTU of zero is none. Towards a sink port of the
 * same switch it adds nothing, and `meta.excess.tracks` says that it would.
 */
control tofino_int_source(inout headers_t hdr, inout metadata_t meta) {
    PACKET_COUNTER(REFUSED_CAUSES, refused);

    int_headers() headers;

    /* Copies made by the hash unit need not share a group of containers with the headers. */
    action copy_ipv4() {
        @in_hash { meta.excess.ip_bytes = hdr.ipv4.total_len; }
    }

    action copy_ipv6() {
        @in_hash { meta.excess.ip_bytes = hdr.ipv6.payload_length; }
    }

    action copy_udp() {
        @in_hash { meta.excess.l4 = hdr.udp.length; }
    }

    action copy_tcp() {
        @in_hash { meta.excess.l4 = 10w0 ++ hdr.tcp.data_offset ++ 2w0; }
    }

    action add_ipv4_header() {
        meta.excess.l4 = meta.excess.l4 + IPV4_BYTES;
    }

    /* A datagram must be all that IP carries. */
    action compare_udp() {
        meta.excess.l4 = meta.excess.l4 - meta.excess.ip_bytes;
    }

    action compare_tcp() {
        meta.excess.l4 = meta.excess.l4 |-| meta.excess.ip_bytes;
    }

    action compare_mtu() {
        meta.excess.mtu_room = meta.port.mtu |-| meta.excess.ip_bytes;
    }

    action add() {
        meta.excess.adds = true;
    }

    action track() {
        meta.excess.tracks = true;
    }

    action refuse(bit<8> cause) {
        meta.excess.cause = cause;
    }

    table decision {
        key = {
            meta.port.mtu        : ternary @name("mtu");
            hdr.ipv6.isValid()   : ternary @name("is_ipv6");
            meta.excess.mtu_room : ternary @name("mtu_room");
            meta.excess.l4       : ternary @name("l4_excess");
            meta.strip.restores  : ternary @name("is_sink");
        }
        actions = { add; track; refuse; }
        const default_action = refuse((bit<8>)REFUSED_BAD_LENGTH);
        size = 7;
        const entries = {
            (0, _, _, _, _)                   : refuse((bit<8>)REFUSED_NO_PORT_RECORD);
            /* Less than the 16 bytes that are added; IPv6 does not count its 40. */
            (_, false, 0x00 &&& 0xFFF0, _, _) : refuse((bit<8>)REFUSED_MTU);
            (_, true, 0x00 &&& 0xFFE0, _, _)  : refuse((bit<8>)REFUSED_MTU);
            (_, true, 0x20 &&& 0xFFF0, _, _)  : refuse((bit<8>)REFUSED_MTU);
            (_, true, 0x30 &&& 0xFFF8, _, _)  : refuse((bit<8>)REFUSED_MTU);
            (_, _, _, 0, true)                : track();
            (_, _, _, 0, false)               : add();
        }
    }

    apply {
        meta.excess.adds = false;
        meta.excess.tracks = false;
        meta.excess.cause = NO_CAUSE;
        if (hdr.ipv4.isValid()) {
            copy_ipv4();
        } else {
            copy_ipv6();
        }
        if (hdr.udp.isValid()) {
            copy_udp();
        } else {
            copy_tcp();
        }
        if (hdr.ipv4.isValid()) {
            add_ipv4_header();
        }
        if (hdr.udp.isValid()) {
            compare_udp();
        } else {
            compare_tcp();
        }
        compare_mtu();
        if (meta.source.wanted && meta.sampling.skipped == 0) {
            decision.apply();
        }
        if (meta.excess.adds) {
            headers.apply(hdr, meta);
        }
        if (meta.excess.cause != NO_CAUSE) {
            COUNT(refused, meta.excess.cause);
        }
    }
}  /* tofino_int_source */

#endif  /* TOFINO_INT_SOURCE_P4 */
