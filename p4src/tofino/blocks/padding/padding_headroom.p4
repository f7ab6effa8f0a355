#ifndef TOFINO_PADDING_HEADROOM_P4
#define TOFINO_PADDING_HEADROOM_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/padding_format.p4"
#include "tofino/blocks/tofino_metadata.p4"

/* UDP header and the first two bytes of the padding. */
const bit<16> PADDING_FIXED_BYTES = 10;

/*
 * Room that the lengths of a packet with padding leave, as int_headroom.p4 has it for INT:
 * differences that saturate at zero, one less each than there is.
 */
control padding_headroom(in headers_t hdr, inout metadata_t meta) {
    action measure_records() {
        @in_hash { meta.room.l4_header = 9w0 ++ hdr.padding.hop_count ++ 3w0; }
        meta.room.l4 = hdr.udp.length |-| (PADDING_FIXED_BYTES - 1);
    }

    action measure_ipv4() {
        meta.room.ip = hdr.ipv4.total_len |-| hdr.udp.length;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv4.total_len;
    }

    /* For IPv6, the headroom of IP is at first the excess of UDP's length. */
    action measure_ipv6() {
        meta.room.ip = hdr.udp.length |-| hdr.ipv6.payload_length;
        meta.room.mtu = meta.port.mtu |-| hdr.ipv6.payload_length;
    }

    action subtract_records() {
        meta.room.l4 = meta.room.l4 |-| meta.room.l4_header;
    }

    action subtract_ipv4() {
        meta.room.ip = meta.room.ip |-| (IPV4_BYTES - 1);
        meta.room.mtu = meta.room.mtu |-| (PADDING_HOP_BYTES - 1);
    }

    action subtract_ipv6() {
        meta.room.ip = 1 |-| meta.room.ip;
        meta.room.mtu = meta.room.mtu |-| (IPV6_BYTES + PADDING_HOP_BYTES - 1);
    }

    apply {
        measure_records();
        subtract_records();
        if (hdr.ipv4.isValid()) {
            measure_ipv4();
            subtract_ipv4();
        } else {
            measure_ipv6();
            subtract_ipv6();
        }
    }
}  /* padding_headroom */

#endif  /* TOFINO_PADDING_HEADROOM_P4 */
