#ifndef QUEUE_ARRIVAL_P4
#define QUEUE_ARRIVAL_P4

#include "../metadata.p4"

/* Adds the packet to the lengths of its queue and of its port, at the end of ingress. */
control queue_arrival(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    action arrive() {
        bit<32> port = (bit<32>)standard_metadata.egress_spec;
        bit<32> queue = (port << QUEUE_BITS) | (bit<32>)standard_metadata.priority;
        bit<32> in_queue;
        bit<32> in_port;
        meta.queue.arrived_bytes = standard_metadata.packet_length;
        waiting_in_queue.read(in_queue, queue);
        waiting_in_queue.write(queue, in_queue + meta.queue.arrived_bytes);
        waiting_at_port.read(in_port, port);
        waiting_at_port.write(port, in_port + meta.queue.arrived_bytes);
    }

    apply {
        arrive();
    }
}  /* queue_arrival */

#endif  /* QUEUE_ARRIVAL_P4 */
