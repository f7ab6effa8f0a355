#ifndef TOFINO_CUT_DEPARTURE_P4
#define TOFINO_CUT_DEPARTURE_P4

#include "common/config.p4"
#include "common/types.p4"
#include "trim_metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"

/*
 * Tells of a packet that this switch has cut its length, and as the queue that which was full: a
 * chip knows no other queue than the one that the packet comes from. Counts such packets.
 */
control tofino_cut_departure(in headers_t hdr, inout metadata_t meta) {
    FRAME_COUNTER(port_t, PORT_COUNT, trims);

    action tell_cut() {
        @in_hash { meta.departure.frame_bytes = 16w0 ++ hdr.bridge.frame_bytes; }
        meta.departure.queue_bytes = hdr.bridge.queue_bytes;
        COUNT(trims, meta.departure.egress_port);
    }

    apply {
        tell_cut();
    }
}  /* tofino_cut_departure */

#endif  /* TOFINO_CUT_DEPARTURE_P4 */
