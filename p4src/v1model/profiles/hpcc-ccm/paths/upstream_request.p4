#ifndef UPSTREAM_REQUEST_P4
#define UPSTREAM_REQUEST_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "v1model/profiles/hpcc-ccm/notifications/notification_send.p4"

/* By the hashes of a flow: when its point upstream was asked last; 0 is never. */
register<bit<64>>(LIMITER_CELLS) request_times;
register<bit<64>>(LIMITER_CELLS) second_request_times;
/* By port: 1 and the window of the loads in which a flow asked last. */
register<bit<16>>(PORT_COUNT) request_turns;

/*
 * One flow per port and window of the loads asks to be sent another way: if all did, all would
 * leave and meet again elsewhere. Without windows every flow asks.
 */
control request_turn(in metadata_t meta, in port_t port, inout bool is_due) {
    action look() {
        bit<16> last;
        request_turns.read(last, (bit<32>)port);
        is_due = is_due && last != 8w1 ++ meta.paths.window;
        request_turns.write((bit<32>)port, is_due ? 8w1 ++ meta.paths.window : last);
    }

    apply {
        if (meta.paths.window_shift != 0) {
            look();
        }
    }
}  /* request_turn */

/* A request that was not heeded is not made again for so many intervals, as a shift: eight. */
const bit<8> REQUEST_REST_SHIFT = 3;

/*
 * When the flow was last asked about: a Bloom filter of times, as notification_limiter's. The older
 * time of its cells is the flow's own, or that of flows which share both.
 */
control request_memory(in metadata_t meta,
                       in bit<64> interval_ns,
                       out bool is_due,
                       out bool is_unheeded) {
    apply {
        bit<64> first_time;
        bit<64> second_time;
        request_times.read(first_time, (bit<32>)meta.flow.hash[LIMITER_BITS - 1:0]);
        second_request_times.read(second_time, (bit<32>)meta.flow.digest[LIMITER_BITS - 1:0]);
        bit<64> last = first_time < second_time ? first_time : second_time;
        bit<64> passed = meta.paths.now_ns - last;
        is_due = last == 0 || passed >= (interval_ns << REQUEST_REST_SHIFT);
        is_unheeded = !is_due && passed >= interval_ns;
    }
}  /* request_memory */

/*
 * Asks the packet's point of adaptive routing to send its flow another way (type 3): a clone at
 * once, which does not wait in the queue that is the reason. `port` is where the packet goes.
 * `is_unheeded`: it was asked an interval ago and more, and the flow is still here.
 */
control upstream_request(in headers_t hdr,
                         inout metadata_t meta,
                         in port_t port,
                         in bit<64> interval_ns,
                         in bit<32> clone_session,
                         out bool is_due,
                         out bool is_unheeded) {
    request_memory() memory;
    request_turn() turn;

    action remember() {
        request_times.write((bit<32>)meta.flow.hash[LIMITER_BITS - 1:0], meta.paths.now_ns);
        second_request_times.write((bit<32>)meta.flow.digest[LIMITER_BITS - 1:0],
                                   meta.paths.now_ns);
    }

    action describe() {
        bit<32> state;
        port_states.read(state, (bit<32>)port);
        meta.notice.type = REROUTING_REQUIRED;
        meta.notice.ar_id = meta.tag.ar_id;
        meta.notice.src_port = meta.l4.src_port;
        meta.notice.dst_port = meta.l4.dst_port;
        meta.notice.queue_bytes = state & 0xFFFFFF;
        meta.notice.time_ns = meta.paths.now_ns[31:0];
    }

    apply {
        memory.apply(meta, interval_ns, is_due, is_unheeded);
        turn.apply(meta, port, is_due);
        if (is_due) {
            remember();
            describe();
            clone_preserving_field_list(CloneType.I2E, clone_session, NOTIFICATION_FIELDS);
        }
    }
}  /* upstream_request */

#endif  /* UPSTREAM_REQUEST_P4 */
