#ifndef TOFINO_FEEDBACK_TRIGGER_P4
#define TOFINO_FEEDBACK_TRIGGER_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "feedback_metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "tofino_response_limiter.p4"

/*
 * Fast feedback (draft-pan-tsvwg-hpccplus-00 section 6.3), as
 * feedback_trigger.p4 has it, for targets that compare no two fields:
 * a subscriber that leaves a queue behind it that is as long as the port's threshold asks for an
 * answer. Its copy comes here too, for the same port, and finds out whether it may be one.
 */
control tofino_feedback_trigger(in headers_t hdr, inout metadata_t meta, in port_t egress_port) {
    PACKET_COUNTER(FEEDBACK_OUTCOMES, outcomes);

    tofino_response_limiter() limiter;

    action respond_above(bit<24> queue_bytes, bit<32> interval_ns, mirror_session_t clone_session,
                         bit<6> response_dscp, bit<1> to_receiver) {
        meta.feedback.threshold = 8w0 ++ queue_bytes;
        meta.feedback.interval_ns = interval_ns;
        meta.feedback.session = clone_session;
        meta.feedback.dscp = response_dscp;
        meta.feedback.flags = 7w0 ++ to_receiver;
    }

    action no_feedback() {
        meta.feedback.is_subscribed = false;
    }

    table feedback_threshold {
        key = { egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { respond_above; no_feedback; }
        const default_action = no_feedback;
        size = PORT_COUNT;
    }

    action measure_queue() {
        meta.limit.queue_room = meta.feedback.threshold |-| meta.departure.queue_bytes;
    }

    action ask() {
        meta.feedback.asks = true;
    }

    action answer() {
        meta.feedback.answers = true;
        meta.feedback.outcome = (bit<8>)FEEDBACK_SENT;
    }

    action leave(bit<8> outcome) {
        meta.feedback.outcome = outcome;
    }

    table decision {
        key = {
            meta.feedback.is_copy   : ternary @name("is_copy");
            meta.limit.queue_room   : ternary @name("queue_room");
            meta.limit.first_wait   : ternary @name("first_wait");
            meta.limit.second_wait  : ternary @name("second_wait");
        }
        actions = { ask; answer; leave; }
        const default_action = leave((bit<8>)FEEDBACK_BELOW_THRESHOLD);
        size = 6;
        const entries = {
            (false, 0, 0, _) : ask();
            (false, 0, _, 0) : ask();
            (false, 0, _, _) : leave((bit<8>)FEEDBACK_SUPPRESSED);
            (true, _, 0, _)  : answer();
            (true, _, _, 0)  : answer();
            (true, _, _, _)  : leave((bit<8>)FEEDBACK_SUPPRESSED);
        }
    }

    apply {
        meta.feedback.asks = false;
        meta.feedback.answers = false;
        meta.feedback.outcome = NO_CAUSE;
        feedback_threshold.apply();
        limiter.apply(hdr, meta, egress_port);
        measure_queue();
        if (meta.feedback.is_subscribed && meta.port.known) {
            decision.apply();
        }
        if (meta.feedback.outcome != NO_CAUSE) {
            COUNT(outcomes, meta.feedback.outcome);
        }
    }
}  /* tofino_feedback_trigger */

#endif  /* TOFINO_FEEDBACK_TRIGGER_P4 */
