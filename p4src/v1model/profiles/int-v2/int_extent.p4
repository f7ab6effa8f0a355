#ifndef INT_EXTENT_P4
#define INT_EXTENT_P4

#include "int_v2_metadata.p4"

/*
 * Checks that the lengths of a packet with INT agree: the INT bytes lie inside of what carries
 * them, and that inside the IP packet. Where they contradict each other, the packet only looks
 * like INT or is damaged, and must not be touched.
 */
control int_extent(in headers_t hdr, inout metadata_t meta) {
    /* From the end of the IP header to the shim, and to the end of the carrier. */
    bit<32> offset;
    bit<32> end;

    action measure_udp(bit<32> header_bytes) {
        offset = header_bytes;
        end = (bit<32>)hdr.udp.length;
    }

    action measure_tcp(bit<32> header_bytes) {
        offset = ((bit<32>)hdr.tcp.data_offset << 2) + header_bytes;
        end = (bit<32>)meta.found.ip_payload;
    }

    action measure_gre() {
        bit<32> words = (bit<32>)hdr.gre.has_checksum + (bit<32>)hdr.gre.has_key +
                        (bit<32>)hdr.gre.has_sequence;
        offset = (bit<32>)GRE_BYTES + (words << 2);
        end = (bit<32>)meta.found.ip_payload;
    }

    apply {
        meta.extent.ip_bytes = (bit<32>)hdr.ipv4.total_len;
        if (hdr.ipv6.isValid()) {
            meta.extent.ip_bytes = (bit<32>)hdr.ipv6.payload_length + (bit<32>)IPV6_BYTES;
        }
        if (hdr.gre.isValid()) {
            measure_gre();
        } else if (hdr.tcp.isValid()) {
            measure_tcp(hdr.marker.isValid() ? (bit<32>)MARKER_BYTES : 0);
        } else if (hdr.marker.isValid() || hdr.vxlan.isValid() || hdr.geneve.isValid()) {
            measure_udp(16);
        } else {
            measure_udp(8);
        }
        bool fits_option = true;
        if (hdr.geneve_option.isValid()) {
            meta.extent.int_words = (bit<8>)hdr.geneve_option.length;
            fits_option = hdr.geneve_option.length < hdr.geneve.options_length[4:0] ||
                          hdr.geneve.options_length > 31;
        } else {
            meta.extent.int_words = hdr.shim.length;
        }
        bit<32> int_end = offset + 4 + ((bit<32>)meta.extent.int_words << 2);
        meta.extent.fits = fits_option && meta.extent.int_words >= INT_MD_WORDS &&
                           int_end <= end && end <= (bit<32>)meta.found.ip_payload;
    }
}  /* int_extent */

#endif  /* INT_EXTENT_P4 */
