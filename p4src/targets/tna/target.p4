#ifndef TNA_TARGET_P4
#define TNA_TARGET_P4

#include "../../config.p4"
#include "types.p4"

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
 * Which packet has left its queue, where, when, and how long it is. The hash unit moves what does
 * not stand where it is wanted, 32 bits per action.
 */
control departing_packet(inout metadata_t meta,
                         in egress_intrinsic_metadata_t eg_intr_md,
                         in egress_intrinsic_metadata_from_parser_t eg_prsr_md) {
    action name_queue() {
        @in_hash { meta.departure.egress_port = eg_intr_md.egress_port; }
        @in_hash { meta.departure.queue_id = (bit<8>)eg_intr_md.egress_qid; }
        meta.departure.timestamp_ns = eg_prsr_md.global_tstamp;
    }

    action measure_frame() {
        @in_hash { meta.departure.frame_bytes = 16w0 ++ eg_intr_md.pkt_length; }
    }

    action trim_frame() {
        meta.departure.frame_bytes = meta.departure.frame_bytes - FRAME_CHECK_BYTES;
    }

    apply {
        name_queue();
        measure_frame();
        trim_frame();
    }
}  /* departing_packet */

/* Tofino does not multiply, so its cells become bytes by shifts. */
control departed_queue(inout metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md) {
    bit<32> thirty_two;
    bit<32> sixteen;

    action measure_queue() {
        @in_hash {
            meta.departure.queue_bytes = (bit<32>)(eg_intr_md.deq_qdepth ++ (bit<CELL_SHIFT>)0);
        }
    }

    action shift_by_five() {
        @in_hash { thirty_two = (bit<32>)(eg_intr_md.deq_qdepth ++ 5w0); }
    }

    action shift_by_four() {
        @in_hash { sixteen = (bit<32>)(eg_intr_md.deq_qdepth ++ 4w0); }
    }

    action add_thirty_two() {
        meta.departure.queue_bytes = meta.departure.queue_bytes + thirty_two;
    }

    action add_sixteen() {
        meta.departure.queue_bytes = meta.departure.queue_bytes + sixteen;
    }

    apply {
        measure_queue();
        shift_by_five();
        shift_by_four();
        add_thirty_two();
        add_sixteen();
    }
}  /* departed_queue */

/* Both, of one snapshot: taken when the packet left its queue. Its clock counts nanoseconds. */
control departure(inout metadata_t meta,
                  in egress_intrinsic_metadata_t eg_intr_md,
                  in egress_intrinsic_metadata_from_parser_t eg_prsr_md) {
    departing_packet() packet;
    departed_queue() queue;

    apply {
        packet.apply(meta, eg_intr_md, eg_prsr_md);
        queue.apply(meta, eg_intr_md);
    }
}  /* departure */

#endif  /* TNA_TARGET_P4 */
