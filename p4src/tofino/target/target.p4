#ifndef TOFINO_TARGET_P4
#define TOFINO_TARGET_P4

#include "common/config.p4"
#include "target_types.p4"

/* Interface of a target for Tofino blocks, as test/p4/tofino-models/target/model_target.p4. */
#define PACKET_COUNTER(size, name) Counter<bit<64>, bit<8>>(size, CounterType_t.PACKETS) name
#define FRAME_COUNTER(index, size, name) \
    Counter<bit<64>, index>(size, CounterType_t.PACKETS_AND_BYTES) name
#define COUNT(name, index) name.count(index)

/* Words that are read and changed in one action, whose `body` knows `value` and `value_before`. */
#define REGISTER(index, size, name) Register<bit<32>, index>(size, 0) name
#define REGISTER_ACTION(index, name, action_name, body) \
    RegisterAction<bit<32>, index, bit<32>>(name) action_name = { \
        void apply(inout bit<32> value, out bit<32> value_before) body \
    };
#define EXECUTE(result, action_name, index) result = action_name.execute(index)

/* Every time was. */
#define AGE(now, time) now - time

#define CRC32_HASH(bits, name) Hash<bit<bits>>(HashAlgorithm_t.CRC32) name
#define CRC16_HASH(bits, name) Hash<bit<bits>>(HashAlgorithm_t.CRC16) name
#define HASH(bits, result, name, ...) result = name.get({ __VA_ARGS__ })

/* Ids stay those that the compiler makes of names; see ids.p4. */
#define WITH_ID(number)

/* Up to 1024 groups of 64 members. */
#define ECMP_SELECTOR(selector_name, members, choice) \
    Hash<bit<16>>(HashAlgorithm_t.CRC16) choice; \
    ActionProfile(ECMP_MEMBER_COUNT) members; \
    ActionSelector(members, choice, SelectorMode_t.FAIR, 64, 1024) selector_name

/*
 * A cell of the buffer has 80 bytes on Tofino 1, 32 and 32 and 16; flags say otherwise for
 * Tofino 2, 128 and 32 and 16.
 */
#ifndef CELL_SHIFT
#define CELL_SHIFT 5
#endif

/* Ingress does not know the length of the frame. */
control frame_check(in headers_t hdr, inout metadata_t meta) {
    apply {}
}  /* frame_check */

/*
 * Which packet has left its queue, where, when, and how long it is. The hash unit moves what does
 * not stand where it is wanted, 32 bits per action.
 */
control departing_packet(inout metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md,
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

/* A multiple of the cells in the queue, by the hash unit, which is the only one that shifts. */
#define SHIFT_CELLS(name, result, bits) \
    action name() { \
        @in_hash { result = (bit<32>)(eg_intr_md.deq_qdepth ++ (bit<bits>)0); } \
    }

/* Tofino does not multiply, so its cells become bytes by shifts. */
control departed_queue(inout metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md) {
    bit<32> thirty_two;
    bit<32> sixteen;

    SHIFT_CELLS(measure_queue, meta.departure.queue_bytes, CELL_SHIFT)
    SHIFT_CELLS(shift_by_five, thirty_two, 5)
    SHIFT_CELLS(shift_by_four, sixteen, 4)

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
control departure(inout metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md,
                  in egress_intrinsic_metadata_from_parser_t eg_prsr_md) {
    departing_packet() packet;
    departed_queue() queue;

    apply {
        packet.apply(meta, eg_intr_md, eg_prsr_md);
        queue.apply(meta, eg_intr_md);
    }
}  /* departure */

#endif  /* TOFINO_TARGET_P4 */
