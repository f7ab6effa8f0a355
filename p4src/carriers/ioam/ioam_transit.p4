#ifndef IOAM_TRANSIT_P4
#define IOAM_TRANSIT_P4

#include "packet.p4"
#include "ioam_node_data.p4"
#include "ioam_more_data.p4"

/* Puts this node's data in the place of the slot; no length changes but that of the free space. */
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
            hdr.ioam_trace.remaining = meta.ioam.spare_words[6:0];
        }
    }
}  /* ioam_transit */

#endif  /* IOAM_TRANSIT_P4 */
