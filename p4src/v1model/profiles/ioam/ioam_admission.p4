#ifndef IOAM_ADMISSION_P4
#define IOAM_ADMISSION_P4

#include "ioam_headers.p4"
#include "trace_words.p4"
#include "v1model/blocks/carrier_units.p4"

/*
 * Decides whether this node adds its data (RFC 9197 section 4.4.1), into its slot or behind NSH in
 * front of those that are there: always when it has allocated slots itself. Without room it sets
 * the overflow flag; in all other cases the option stays as it came. Every case is counted.
 */
control ioam_admission(inout headers_t hdr,
                       inout metadata_t meta,
                       in standard_metadata_t standard_metadata) {
    counter(CARRIER_UNSERVED_CAUSES, CounterType.packets) unserved;

    /* The trace lies in the option, the option in its header, the header in the packet. */
    action check_lengths(out bool consistent) {
        bit<16> words = trace_words(hdr.ioam_trace.trace_type);
        bit<16> option_bytes = (bit<16>)hdr.ioam_option.length;
        bit<16> trace_bytes = (bit<16>)hdr.ioam_trace.remaining << 2;
        bit<16> header_bytes = ((bit<16>)hdr.hop_by_hop.length << 3) + 8;
        consistent = words == (bit<16>)hdr.ioam_trace.node_words &&
                     option_bytes + 2 <= meta.ioam.option_left_bytes &&
                     trace_bytes + (bit<16>)IOAM_TRACE_FIXED_BYTES <= option_bytes &&
                     header_bytes <= hdr.ipv6.payload_length;
    }

    /* The trace lies behind its head, the head with all that it covers in the frame. */
    action check_growth(out bool consistent, out bool has_room) {
        bit<16> words = trace_words(hdr.ioam_trace.trace_type);
        bit<16> grown_words = (bit<16>)hdr.nsh_ioam.length + meta.ioam.slot_words;
        bit<32> frame_bytes = (bit<32>)ETHERNET_BYTES + ((bit<32>)hdr.nsh.length << 2) +
                              ((bit<32>)hdr.nsh_ioam.length << 2);
        consistent = words == (bit<16>)hdr.ioam_trace.node_words &&
                     frame_bytes <= standard_metadata.packet_length;
        has_room = meta.ioam.spare_words[15:15] == 0 && grown_words < 256;
    }

    action check_mtu(out bool fits) {
        bit<32> bytes = standard_metadata.packet_length - (bit<32>)ETHERNET_BYTES +
                        ((bit<32>)meta.ioam.slot_words << 2);
        fits = meta.nsh.ends || bytes <= (bit<32>)meta.port.mtu;
    }

    apply {
        bool is_growing = hdr.nsh_ioam.isValid();
        meta.ioam.fill = meta.ioam.is_source && !is_growing;
        if (is_growing || (hdr.ioam_option.isValid() && !meta.ioam.is_source)) {
            bool consistent;
            bool has_room = meta.ioam.spare_words[15:15] == 0;
            if (is_growing) {
                check_growth(consistent, has_room);
            } else {
                check_lengths(consistent);
            }
            if (!meta.ioam.is_enabled && !meta.ioam.is_source) {
                unserved.count(UNSERVED_NOT_ENABLED);
            } else if (!hdr.ioam_trace.isValid()) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.ioam.is_known) {
                unserved.count(UNSERVED_UNKNOWN_NAMESPACE);
            } else if (!consistent) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (!has_room) {
                hdr.ioam_trace.overflow = 1;
                unserved.count(UNSERVED_HOP_LIMIT);
            } else if (is_growing) {
                bool fits;
                check_mtu(fits);
                if (fits) {
                    meta.ioam.fill = true;
                    meta.ioam.added_bytes = meta.ioam.slot_words << 2;
                } else {
                    hdr.ioam_trace.overflow = 1;
                    unserved.count(UNSERVED_MTU);
                }
            } else {
                meta.ioam.fill = hdr.ioam_slot.isValid();
            }
        }
        if (meta.nsh.ends) {
            meta.ioam.added_bytes = 0;
        }
        meta.telemetry.push = meta.ioam.added_bytes != 0 || meta.nsh.ends;
    }
}  /* ioam_admission */

#endif  /* IOAM_ADMISSION_P4 */
