#ifndef V1MODEL_TARGET_P4
#define V1MODEL_TARGET_P4

#include "../../portable/metadata.p4"
#include "../../config.p4"

/* What portable blocks ask of a target; targets/tna/target.p4 has the same. */
#define PACKET_COUNTER(size, name) counter(size, CounterType.packets) name
#define COUNT(name, index) name.count((bit<32>)index)

/* Bytes that left a port before, in 32 bits; read and write are one action, which is atomic. */
control byte_counter(in port_t port, in bit<32> bytes, out bit<32> before) {
    register<bit<32>>(PORT_COUNT) tx_bytes;

    action count_frame() {
        tx_bytes.read(before, (bit<32>)port);
        tx_bytes.write((bit<32>)port, before + bytes);
    }

    apply {
        count_frame();
    }
}  /* byte_counter */

/* In the units that the controller gives for the port. */
control departure(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    action describe() {
        /* 19 + 16 bits fit in 40. */
        bit<40> queue_bytes = (bit<40>)standard_metadata.deq_qdepth *
                              (bit<40>)meta.port.queue_unit_bytes;
        meta.departure.ingress_port = standard_metadata.ingress_port;
        meta.departure.egress_port = standard_metadata.egress_port;
        meta.departure.queue_id = (bit<8>)standard_metadata.priority;
        meta.departure.queue_bytes =
            queue_bytes > 0xFFFFFFFF ? 32w0xFFFFFFFF : queue_bytes[31:0];
        meta.departure.timestamp_ns =
            standard_metadata.egress_global_timestamp * (bit<48>)meta.port.clock_unit_ns;
        meta.departure.frame_bytes = standard_metadata.packet_length;
    }

    apply {
        describe();
    }
}  /* departure */

#endif  /* V1MODEL_TARGET_P4 */
