#ifndef UPSTREAM_REQUEST_P4
#define UPSTREAM_REQUEST_P4

#include "../packet.p4"
#include "../coordination/types.p4"
#include "../coordination/state.p4"
#include "notification_limiter.p4"
#include "request_turn.p4"

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

#endif  /* UPSTREAM_REQUEST_P4 */
