#ifndef QUEUE_TELEMETRY_P4
#define QUEUE_TELEMETRY_P4

#include "../metadata.p4"

/*
 * Puts the bytes of the packet's own queue in place of the traffic manager's depth, which may count
 * packets. The field has 24 bits, so it saturates.
 */
control queue_telemetry(inout metadata_t meta) {
    apply {
        meta.snapshot.queue_bytes =
            meta.queue.own_bytes > 0xFFFFFF ? 24w0xFFFFFF : meta.queue.own_bytes[23:0];
    }
}  /* queue_telemetry */

#endif  /* QUEUE_TELEMETRY_P4 */
