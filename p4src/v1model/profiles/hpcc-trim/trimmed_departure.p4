#ifndef TRIMMED_DEPARTURE_P4
#define TRIMMED_DEPARTURE_P4

#include "v1model/profiles/hpcc-queues/queue_headers.p4"
#include "common/config.p4"
#include "packet_trim.p4"

/*
 * Tells what follows how long the packet is: v1model goes on telling the length with which it came
 * in. `is_trimmed` if this switch has cut it.
 */
control trimmed_length(in headers_t hdr,
                       in metadata_t meta,
                       inout standard_metadata_t standard_metadata,
                       out bool is_trimmed) {
    apply {
        is_trimmed = meta.queue.arrived_bytes < standard_metadata.packet_length;
        bit<32> room = is_trimmed && hdr.int_shim.isValid() ? (bit<32>)TRIM_ROOM_BYTES : 0;
        standard_metadata.packet_length = meta.queue.arrived_bytes - room;
    }
}  /* trimmed_length */

/*
 * The queue in telemetry is all that waits at the port: a header that has passed the others by
 * tells of them. The field has 24 bits, so it saturates.
 */
control port_queues(inout metadata_t meta) {
    apply {
        meta.snapshot.queue_bytes =
            meta.queue.port_bytes > 0xFFFFFF ? 24w0xFFFFFF : meta.queue.port_bytes[23:0];
    }
}  /* port_queues */

/* Cuts the packet where its datagram ends, if no telemetry of this switch has filled its room. */
control trimmed_end(in metadata_t meta, in standard_metadata_t standard_metadata) {
    apply {
        if (!meta.telemetry.push) {
            truncate(standard_metadata.packet_length);
        }
    }
}  /* trimmed_end */

#endif  /* TRIMMED_DEPARTURE_P4 */
