#ifndef TNA_TARGET_P4
#define TNA_TARGET_P4

#include "packet.p4"
#include "../../config.p4"

/* What portable blocks ask of a target; targets/v1model/target.p4 has the same. */
#define PACKET_COUNTER(size, name) Counter<bit<64>, bit<8>>(size, CounterType_t.PACKETS) name
#define COUNT(name, index) name.count(index)

/*
 * A cell of the buffer has 80 bytes on Tofino 1, 32 and 32 and 16; flags say otherwise for
 * Tofino 2, 128 and 32 and 16.
 */
#ifndef CELL_SHIFT
#define CELL_SHIFT 5
#endif

/* Bytes that left a port before, in 32 bits. */
control byte_counter(in port_t port, in bit<32> bytes, out bit<32> before) {
    Register<bit<32>, port_t>(PORT_COUNT, 0) tx_bytes;

    RegisterAction<bit<32>, port_t, bit<32>>(tx_bytes) add = {
        void apply(inout bit<32> sent, out bit<32> sent_before) {
            sent_before = sent;
            sent = sent + bytes;
        }
    };

    action count_frame() {
        before = add.execute(port);
    }

    apply {
        count_frame();
    }
}  /* byte_counter */

/*
 * Tofino does not multiply, so its cells become bytes by shifts; its clock counts nanoseconds. All
 * of it is one snapshot, taken when the packet left its queue.
 */
control departure(inout metadata_t meta,
                  in egress_intrinsic_metadata_t eg_intr_md,
                  in egress_intrinsic_metadata_from_parser_t eg_prsr_md) {
    bit<32> thirty_two;
    bit<32> sixteen;

    action describe() {
        meta.departure.egress_port = eg_intr_md.egress_port;
        meta.departure.queue_id = (bit<8>)eg_intr_md.egress_qid;
        meta.departure.queue_bytes = (bit<32>)eg_intr_md.deq_qdepth << CELL_SHIFT;
        thirty_two = (bit<32>)eg_intr_md.deq_qdepth << 5;
        sixteen = (bit<32>)eg_intr_md.deq_qdepth << 4;
        meta.departure.timestamp_ns = eg_prsr_md.global_tstamp;
        meta.departure.frame_bytes =
            (bit<32>)eg_intr_md.pkt_length - (BRIDGE_BYTES + FRAME_CHECK_BYTES);
    }

    action add_thirty_two() {
        meta.departure.queue_bytes = meta.departure.queue_bytes + thirty_two;
    }

    action add_sixteen() {
        meta.departure.queue_bytes = meta.departure.queue_bytes + sixteen;
    }

    apply {
        describe();
        add_thirty_two();
        add_sixteen();
    }
}  /* departure */

#endif  /* TNA_TARGET_P4 */
