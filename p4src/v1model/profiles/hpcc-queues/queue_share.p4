#ifndef QUEUE_SHARE_P4
#define QUEUE_SHARE_P4

#include "common/ids.p4"
#include "queue_headers.p4"
#include "common/metadata.p4"
#include "queue_lengths.p4"

#ifndef SHARE_COUNT
#define SHARE_COUNT 8192
#endif

/*
 * Where queues share their port by weights (DWRR), the link of a flow is the part that its queue is
 * guaranteed: telemetry tells the bytes sent from this queue, and as capacity its part of the port
 * among the queues that are active. A queue is active while something waits in it, or has left it
 * within the last `window_ns`. Switches do not divide, so the controller fills in a capacity for
 * each set of active queues; a queue without entries is served first, and told the whole port.
 */
control queue_share(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<64>>(QUEUE_COUNT) sent_bytes;
    register<bit<64>>(QUEUE_COUNT) left_ns;
    bool is_shared;
    bit<64> active_for_ns;
    bit<8> weighted;
    bit<8> active;
    bit<64> own_bytes;

    @id(SHARE_PORT_ACTION_ID)
    action share_port(bit<64> window_ns, bit<8> weighted_queues) {
        is_shared = true;
        active_for_ns = window_ns;
        weighted = weighted_queues;
    }

    @id(KEEP_WHOLE_ACTION_ID)
    action keep_whole() {
        is_shared = false;
    }

    @id(SHARED_PORT_TABLE_ID)
    table shared_port {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { share_port; keep_whole; }
        const default_action = keep_whole;
        size = PORT_COUNT;
    }

    action count(bit<64> pushed_bytes) {
        bit<32> queue = ((bit<32>)standard_metadata.egress_port << QUEUE_BITS) |
                        (bit<32>)standard_metadata.priority;
        sent_bytes.read(own_bytes, queue);
        sent_bytes.write(queue, own_bytes + (bit<64>)standard_metadata.packet_length +
                                pushed_bytes);
        left_ns.write(queue, meta.snapshot.timestamp_ns);
    }

    action look(bit<3> number) {
        bit<32> queue = ((bit<32>)standard_metadata.egress_port << QUEUE_BITS) | (bit<32>)number;
        bit<32> waiting;
        bit<64> last_ns;
        waiting_in_queue.read(waiting, queue);
        left_ns.read(last_ns, queue);
        bool is_recent = last_ns != 0 && meta.snapshot.timestamp_ns - last_ns <= active_for_ns;
        active = active | (waiting != 0 || is_recent ? 8w1 << number : 8w0);
    }

    @id(SET_GUARANTEE_ACTION_ID)
    action set_guarantee(bit<32> capacity_mbps) {
        meta.port.capacity_mbps = capacity_mbps;
        meta.snapshot.tx_bytes = own_bytes & ~((bit<64>)meta.port.tx_unit_bytes - 1);
    }

    @id(GUARANTEE_TABLE_ID)
    table guarantee {
        key = {
            standard_metadata.egress_port : exact @name("standard_metadata.egress_port");
            standard_metadata.priority    : exact @name("queue");
            active                        : exact @name("active");
        }
        actions = { set_guarantee; @defaultonly NoAction; }
        const default_action = NoAction;
        size = SHARE_COUNT;
    }

    apply {
        is_shared = false;
        active_for_ns = 0;
        weighted = 0;
        active = 0;
        own_bytes = 0;
        shared_port.apply();
        if (is_shared) {
            if (meta.telemetry.push) {
                count(INT_HOP_BYTES);
            } else {
                count(0);
            }
            look(0);
            look(1);
            look(2);
            look(3);
            look(4);
            look(5);
            look(6);
            look(7);
            active = active & weighted;
            guarantee.apply();
        }
    }
}  /* queue_share */

#endif  /* QUEUE_SHARE_P4 */
