#ifndef INT_REMOVAL_P4
#define INT_REMOVAL_P4

#include "common/config.p4"
#include "int_v2_metadata.p4"
#include "carrier_change.p4"
#include "int_extent.p4"

/* Puts back what the INT source changed outside of shim and header, and sums up the changes. */
control int_restoration(inout headers_t hdr, inout metadata_t meta) {
    action to_dscp() {
        hdr.ipv4.dscp = hdr.shim.original[7:2];
        hdr.ipv6.dscp = hdr.shim.original[7:2];
    }

    action to_port() {
        meta.change.sum = meta.change.sum + (bit<32>)(~hdr.udp.dst_port) +
                          (bit<32>)hdr.shim.original;
        hdr.udp.dst_port = hdr.shim.original;
    }

    action to_no_udp() {
        hdr.ipv4.protocol = hdr.shim.original[7:0];
        hdr.ipv6.next_header = hdr.shim.original[7:0];
        hdr.udp.setInvalid();
        meta.change.bytes = meta.change.bytes - UDP_BYTES;
    }

    action to_no_marker() {
        meta.change.bytes = meta.change.bytes - MARKER_BYTES;
        meta.change.sum = meta.change.sum + (~hdr.marker.value >> 48)[31:0] +
            (~hdr.marker.value >> 32 & 0xFFFF)[31:0] + (~hdr.marker.value >> 16 & 0xFFFF)[31:0] +
            (~hdr.marker.value & 0xFFFF)[31:0];
        hdr.marker.setInvalid();
    }

    action to_vxlan() {
        bool was_vxlan = hdr.shim.original[15:15] == 1;
        bit<16> old_flags = hdr.vxlan.flags ++ hdr.vxlan.reserved[15:8];
        bit<16> old_protocol = hdr.vxlan.reserved[7:0] ++ hdr.vxlan.next_protocol;
        bit<16> old_port = hdr.udp.dst_port;
        hdr.vxlan.next_protocol = was_vxlan ? 8w0 : hdr.shim.original[7:0];
        hdr.vxlan.flags = was_vxlan ? hdr.vxlan.flags & 0xFB : hdr.vxlan.flags;
        hdr.udp.dst_port = was_vxlan ? VXLAN_PORT : hdr.udp.dst_port;
        meta.change.sum = meta.change.sum + (bit<32>)(~old_flags) + (bit<32>)(~old_protocol) +
            (bit<32>)(~old_port) + (bit<32>)hdr.udp.dst_port +
            (bit<32>)(hdr.vxlan.flags ++ hdr.vxlan.reserved[15:8]) +
            (bit<32>)(hdr.vxlan.reserved[7:0] ++ hdr.vxlan.next_protocol);
    }

    action to_geneve() {
        meta.change.sum = meta.change.sum + 0xFFFF -
                          (((bit<32>)hdr.geneve_option.length + 1) << 8);
        hdr.geneve.options_length = hdr.geneve.options_length -
                                    (bit<6>)hdr.geneve_option.length - 1;
    }

    action to_gre() {
        meta.change.sum = meta.change.sum + (bit<32>)(~hdr.gre.protocol) +
                          (bit<32>)hdr.shim.original;
        hdr.gre.protocol = hdr.shim.original;
    }

    /* The source has put IP and GRE in front: what was the packet follows. */
    action to_no_gre() {
        hdr.ethernet.ether_type = hdr.shim.original;
        meta.change.bytes = meta.change.bytes - (hdr.ipv4.isValid() ? IPV4_BYTES : IPV6_BYTES) -
                            ((bit<16>)(hdr.gre.has_checksum ++ 2w0) + GRE_BYTES) -
                            ((bit<16>)(hdr.gre.has_key ++ 2w0) +
                             (bit<16>)(hdr.gre.has_sequence ++ 2w0));
        hdr.ipv4.setInvalid();
        hdr.ipv6.setInvalid();
        hdr.gre.setInvalid();
        hdr.gre_checksum.setInvalid();
        hdr.gre_words.setInvalid();
    }

    apply {
        if (meta.found.carrier == CARRIER_DSCP) {
            to_dscp();
        } else if (meta.found.carrier == CARRIER_PORT) {
            to_port();
        } else if (meta.found.carrier == CARRIER_NEW_UDP) {
            to_no_udp();
        } else if (meta.found.carrier == CARRIER_MARKER) {
            to_no_marker();
        } else if (meta.found.carrier == CARRIER_VXLAN) {
            to_vxlan();
        } else if (meta.found.carrier == CARRIER_GENEVE) {
            to_geneve();
        } else if (hdr.shim.carrier_bits[3:3] == 1) {
            to_no_gre();
        } else {
            to_gre();
        }
    }
}  /* int_restoration */

/*
 * Removes shim, header and the whole stack, and keeps lengths and checksums true, by difference.
 * `is_removed` is false where the lengths contradict each other or the version is unknown: such a
 * packet leaves as it came.
 */
control int_removal(inout headers_t hdr, inout metadata_t meta, out bool is_removed) {
    int_extent() extent;
    int_restoration() restoration;
    carrier_change() change;
    bit<16> gone;

    /*
     * The complement of what the bytes add to a checksum; headers that are not there add nothing.
     */
    action sum_behind_shim() {
        hash(gone, HashAlgorithm.csum16, 16w0, {
            hdr.shim.type, hdr.shim.carrier_bits, hdr.shim.length, hdr.shim.original,
            hdr.int_header.version, hdr.int_header.d, hdr.int_header.e, hdr.int_header.m,
            hdr.int_header.reserved, hdr.int_header.hop_words, hdr.int_header.remaining_hops,
            hdr.int_header.instructions, hdr.int_header.domain_id, hdr.int_header.ds_instructions,
            hdr.int_header.ds_flags, hdr.int_stack.words }, 32w0x10000);
    }

    action sum_option() {
        hash(gone, HashAlgorithm.csum16, 16w0, {
            hdr.geneve_option.option_class, hdr.geneve_option.type, hdr.geneve_option.reserved,
            hdr.geneve_option.length,
            hdr.int_header.version, hdr.int_header.d, hdr.int_header.e, hdr.int_header.m,
            hdr.int_header.reserved, hdr.int_header.hop_words, hdr.int_header.remaining_hops,
            hdr.int_header.instructions, hdr.int_header.domain_id, hdr.int_header.ds_instructions,
            hdr.int_header.ds_flags, hdr.int_stack.words }, 32w0x10000);
    }

    action remove() {
        hdr.shim.setInvalid();
        hdr.geneve_option.setInvalid();
        hdr.int_header.setInvalid();
        hdr.int_stack.setInvalid();
        meta.found.carrier = CARRIER_NONE;
    }

    apply {
        is_removed = false;
        if (meta.found.carrier != CARRIER_NONE && meta.found.is_complete &&
            hdr.int_header.isValid() && hdr.int_stack.isValid() &&
            hdr.int_header.version == INT_VERSION) {
            extent.apply(hdr, meta);
            is_removed = meta.extent.fits;
        }
        if (is_removed) {
            if (hdr.geneve_option.isValid()) {
                sum_option();
            } else {
                sum_behind_shim();
            }
            meta.change.sum = (bit<32>)gone;
            meta.change.bytes = 0 - (((bit<16>)meta.extent.int_words << 2) + INT_SHIM_BYTES);
            restoration.apply(hdr, meta);
            change.apply(hdr, meta, false);
            remove();
            /* The change is a negative number of 16 bits. */
            meta.frame_bytes = meta.frame_bytes - (bit<32>)(0 - meta.change.bytes);
        }
    }
}  /* int_removal */

#endif  /* INT_REMOVAL_P4 */
