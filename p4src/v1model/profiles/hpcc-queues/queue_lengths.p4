#ifndef QUEUE_LENGTHS_P4
#define QUEUE_LENGTHS_P4

#include "queue_headers.p4"
#include "common/metadata.p4"

/*
 * Bytes that wait, in the lengths of their arrival, by port and queue and by port. Ingress adds and
 * egress subtracts, so these registers belong to no control.
 */
register<bit<32>>(QUEUE_COUNT) waiting_in_queue;
register<bit<32>>(PORT_COUNT) waiting_at_port;

/* Adds a packet of `bytes` to the lengths of its queue and of its port, at the end of ingress. */
control queue_arrival(inout metadata_t meta,
                      in standard_metadata_t standard_metadata,
                      in bit<32> bytes) {
    action arrive() {
        bit<32> port = (bit<32>)standard_metadata.egress_spec;
        bit<32> queue = (port << QUEUE_BITS) | (bit<32>)standard_metadata.priority;
        bit<32> in_queue;
        bit<32> in_port;
        meta.queue.arrived_bytes = bytes;
        waiting_in_queue.read(in_queue, queue);
        waiting_in_queue.write(queue, in_queue + meta.queue.arrived_bytes);
        waiting_at_port.read(in_port, port);
        waiting_at_port.write(port, in_port + meta.queue.arrived_bytes);
    }

    apply {
        arrive();
    }
}  /* queue_arrival */

/*
 * Takes the packet out of the lengths of its queue and of its port, and tells what it leaves
 * behind, itself excluded, and how long it waited. Packets that a full queue dropped never come
 * here; the length that they left in the registers goes when the queue is empty, which the traffic
 * manager knows: `deq_qdepth` is 0 then.
 */
control queue_departure(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    action depart() {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<32> queue = (port << QUEUE_BITS) | (bit<32>)standard_metadata.priority;
        bit<32> in_queue;
        bit<32> in_port;
        waiting_in_queue.read(in_queue, queue);
        waiting_at_port.read(in_port, port);
        /* From an empty queue, all remaining bytes have gone. */
        bit<32> gone = standard_metadata.deq_qdepth == 0 ? in_queue : meta.queue.arrived_bytes;
        meta.queue.own_bytes = in_queue |-| gone;
        meta.queue.port_bytes = in_port |-| gone;
        waiting_in_queue.write(queue, meta.queue.own_bytes);
        waiting_at_port.write(port, meta.queue.port_bytes);
    }

    /* 32 + 16 bits; all ones would mean "not known". */
    action measure_sojourn() {
        bit<48> sojourn_ns = (bit<48>)standard_metadata.deq_timedelta *
                             (bit<48>)meta.port.clock_unit_ns;
        meta.queue.sojourn_ns = sojourn_ns > 0xFFFFFFFE ? 32w0xFFFFFFFE : sojourn_ns[31:0];
    }

    apply {
        depart();
        measure_sojourn();
    }
}  /* queue_departure */

#endif  /* QUEUE_LENGTHS_P4 */
