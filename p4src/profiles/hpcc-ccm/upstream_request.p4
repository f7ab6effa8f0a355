#ifndef HPCC_CCM_UPSTREAM_REQUEST_P4
#define HPCC_CCM_UPSTREAM_REQUEST_P4

#include "packet.p4"
#include "types.p4"
#include "notification_send.p4"

/*
 * One flow per port and window of the loads asks to be sent another way: if all did, all would
 * leave and meet again elsewhere. Without windows every flow asks.
 */
control request_turn(in metadata_t meta, in port_t port, inout bool is_due) {
    register<bit<16>>(PORT_COUNT) turns;

    action look() {
        bit<16> last;
        turns.read(last, (bit<32>)port);
        is_due = is_due && last != 8w1 ++ meta.paths.window;
        turns.write((bit<32>)port, is_due ? 8w1 ++ meta.paths.window : last);
    }

    apply {
        if (meta.paths.window_shift != 0) {
            look();
        }
    }
}  /* request_turn */

/*
 * Asks the packet's point of adaptive routing to send its flow another way (type 3): a clone at
 * once, which does not wait in the queue that is the reason. `port` is where the packet goes.
 */
control upstream_request(in headers_t hdr,
                         inout metadata_t meta,
                         in port_t port,
                         in bit<64> interval_ns,
                         in bit<32> clone_session,
                         out bool is_due) {
    notification_limiter() limiter;
    request_turn() turn;

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
        limiter.apply(meta.flow.hash, meta.flow.digest, meta.paths.now_ns, interval_ns, is_due);
        turn.apply(meta, port, is_due);
        if (is_due) {
            describe();
            clone_preserving_field_list(CloneType.I2E, clone_session, NOTIFICATION_FIELDS);
        }
    }
}  /* upstream_request */

#endif  /* HPCC_CCM_UPSTREAM_REQUEST_P4 */
