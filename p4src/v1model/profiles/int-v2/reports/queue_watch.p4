#ifndef QUEUE_WATCH_P4
#define QUEUE_WATCH_P4

#include "common/config.p4"
#include "../int_v2_ids.p4"
#include "../int_v2_metadata.p4"

/*
 * Decides whether the packet met a congested queue ("Congested Queues" of Telemetry Report v2.0):
 * so many bytes behind it, or so long in this node. Of one congestion, `quota` packets are
 * reported; it ends with the first packet below both thresholds.
 */
control queue_watch(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<32>>(PORT_COUNT) reported;

    @id(WATCH_QUEUE_ACTION_ID)
    action watch_queue(bit<32> queue_bytes, bit<32> latency_ns, bit<32> quota,
                       bit<16> instructions) {
        bit<32> count;
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        reported.read(count, port);
        meta.report.congested = meta.node.queue_bytes >= queue_bytes ||
                                meta.node.latency_ns >= latency_ns;
        meta.report.reports_queue = meta.report.congested && count < quota;
        count = meta.report.reports_queue ? count + 1 : count;
        reported.write(port, meta.report.congested ? count : 0);
        meta.report.instructions = meta.report.congested ? instructions : 0;
    }

    @id(IGNORE_QUEUE_ACTION_ID)
    action ignore_queue() {
    }

    @id(QUEUE_WATCH_TABLE_ID)
    table watched_queue {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { watch_queue; ignore_queue; }
        const default_action = ignore_queue;
        size = PORT_COUNT;
    }

    apply {
        meta.report.congested = false;
        meta.report.reports_queue = false;
        meta.report.instructions = 0;
        watched_queue.apply();
    }
}  /* queue_watch */

#endif  /* QUEUE_WATCH_P4 */
