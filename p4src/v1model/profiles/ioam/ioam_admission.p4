#ifndef IOAM_ADMISSION_P4
#define IOAM_ADMISSION_P4

#include "ioam_headers.p4"
#include "v1model/blocks/carrier_units.p4"

/*
 * Decides whether this node fills its slot (RFC 9197 section 4.4.1): always when it has allocated
 * the trace itself. Without room it sets the overflow flag; in all other cases the option stays as
 * it came. Every case is counted.
 */
control ioam_admission(inout headers_t hdr, inout metadata_t meta) {
    counter(CARRIER_UNSERVED_CAUSES, CounterType.packets) unserved;

    /* Words that the trace type asks for: bits 8 to 10 have two each, 22 and 23 count elsewhere. */
    action count_words(out bit<16> words) {
        bit<24> t = hdr.ioam_trace.trace_type;
        words = (bit<16>)t[23:23] + (bit<16>)t[22:22] + (bit<16>)t[21:21] + (bit<16>)t[20:20] +
                (bit<16>)t[19:19] + (bit<16>)t[18:18] + (bit<16>)t[17:17] + (bit<16>)t[16:16] +
                2 * ((bit<16>)t[15:15] + (bit<16>)t[14:14] + (bit<16>)t[13:13]) +
                (bit<16>)t[12:12] + (bit<16>)t[11:11] + (bit<16>)t[10:10] + (bit<16>)t[9:9] +
                (bit<16>)t[8:8] + (bit<16>)t[7:7] + (bit<16>)t[6:6] + (bit<16>)t[5:5] +
                (bit<16>)t[4:4] + (bit<16>)t[3:3] + (bit<16>)t[2:2];
    }

    /* The trace lies in the option, the option in its header, the header in the packet. */
    action check_lengths(out bool consistent) {
        bit<16> words;
        count_words(words);
        bit<16> option_bytes = (bit<16>)hdr.ioam_option.length;
        bit<16> trace_bytes = (bit<16>)hdr.ioam_trace.remaining << 2;
        bit<16> header_bytes = ((bit<16>)hdr.hop_by_hop.length << 3) + 8;
        consistent = words == (bit<16>)hdr.ioam_trace.node_words &&
                     option_bytes + 2 <= meta.ioam.option_left_bytes &&
                     trace_bytes + (bit<16>)IOAM_TRACE_FIXED_BYTES <= option_bytes &&
                     header_bytes <= hdr.ipv6.payload_length;
    }

    apply {
        meta.ioam.fill = meta.ioam.is_source;
        if (hdr.ioam_option.isValid() && !meta.ioam.is_source) {
            bool consistent;
            check_lengths(consistent);
            if (!meta.ioam.is_enabled) {
                unserved.count(UNSERVED_NOT_ENABLED);
            } else if (!hdr.ioam_trace.isValid()) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.ioam.is_known) {
                unserved.count(UNSERVED_UNKNOWN_NAMESPACE);
            } else if (!consistent) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (meta.ioam.spare_words[15:15] == 1) {
                hdr.ioam_trace.overflow = 1;
                unserved.count(UNSERVED_HOP_LIMIT);
            } else {
                meta.ioam.fill = hdr.ioam_slot.isValid();
            }
        }
    }
}  /* ioam_admission */

#endif  /* IOAM_ADMISSION_P4 */
