#ifndef IOAM_TRANSIT_P4
#define IOAM_TRANSIT_P4

#include "ioam_headers.p4"
#include "ioam_node_data.p4"

/*
 * The data of bits 12 to 22. RFC 9197 defines none of 12 to 21, so they are all ones, except for
 * txBytes in a namespace of HPCC++. The opaque state snapshot of a node without one is empty.
 */
control ioam_more_data(inout headers_t hdr, in metadata_t meta) {
    bit<24> t;

    action add_tx_bytes() {
        hdr.ioam_data.tx_bytes.setValid();
        hdr.ioam_data.tx_bytes.value =
            meta.ioam.is_hpcc ? meta.snapshot.tx_bytes[31:0] : 32w0xFFFFFFFF;
    }

    action add_undefined(inout ioam_word_t word) {
        word.setValid();
        word.value = 0xFFFFFFFF;
    }

    action add_opaque() {
        hdr.ioam_data.opaque.setValid();
        hdr.ioam_data.opaque.length = 0;
        hdr.ioam_data.opaque.schema_id = 0xFFFFFF;
    }

    apply {
        if (meta.ioam.fill) {
            t = hdr.ioam_trace.trace_type;
            if (t[11:11] == 1) { add_tx_bytes(); }
            if (t[10:10] == 1) { add_undefined(hdr.ioam_data.undefined[0]); }
            if (t[9:9] == 1) { add_undefined(hdr.ioam_data.undefined[1]); }
            if (t[8:8] == 1) { add_undefined(hdr.ioam_data.undefined[2]); }
            if (t[7:7] == 1) { add_undefined(hdr.ioam_data.undefined[3]); }
            if (t[6:6] == 1) { add_undefined(hdr.ioam_data.undefined[4]); }
            if (t[5:5] == 1) { add_undefined(hdr.ioam_data.undefined[5]); }
            if (t[4:4] == 1) { add_undefined(hdr.ioam_data.undefined[6]); }
            if (t[3:3] == 1) { add_undefined(hdr.ioam_data.undefined[7]); }
            if (t[2:2] == 1) { add_undefined(hdr.ioam_data.undefined[8]); }
            if (t[1:1] == 1) { add_opaque(); }
        }
    }
}  /* ioam_more_data */

/*
 * Puts this node's data in the place of the slot, where no length changes but that of the free
 * space, or in front of a trace that grows (RFC 9452 section 3: the head's length grows, too, and
 * that of NSH does not).
 */
control ioam_transit(inout headers_t hdr,
                     in metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    ioam_node_data() node_data;
    ioam_more_data() more_data;

    apply {
        node_data.apply(hdr, meta, standard_metadata);
        more_data.apply(hdr, meta);
        if (meta.ioam.fill) {
            hdr.ioam_slot.setInvalid();
            hdr.nsh_ioam.length = hdr.nsh_ioam.length + (bit<8>)meta.ioam.slot_words;
            hdr.ioam_trace.remaining = meta.ioam.spare_words[6:0];
        }
    }
}  /* ioam_transit */

#endif  /* IOAM_TRANSIT_P4 */
