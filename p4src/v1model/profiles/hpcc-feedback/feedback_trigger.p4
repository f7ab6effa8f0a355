#ifndef FEEDBACK_TRIGGER_P4
#define FEEDBACK_TRIGGER_P4

#include "common/ids.p4"
#include "common/feedback_format.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "response_limiter.p4"

/*
 * Fast feedback (draft-pan-tsvwg-hpccplus-00 section 6.3): a packet that subscribes, by a DS flag
 * of its INT header or by DSCP, and leaves a queue behind it that is as long as the port's
 * threshold, makes the switch answer at once; feedback_response.p4 turns the clone into the answer.
 * Responses themselves never subscribe.
 */
control feedback_trigger(in headers_t hdr,
                         inout metadata_t meta,
                         in standard_metadata_t standard_metadata) {
    counter(FEEDBACK_OUTCOMES, CounterType.packets) outcomes;
    response_limiter() limiter;
    bool subscribed;
    bool congested;
    bit<64> interval;
    bit<32> session;

    @id(RESPOND_ABOVE_ACTION_ID)
    action respond_above(bit<24> queue_bytes, bit<64> interval_ns, bit<32> clone_session,
                         bit<6> response_dscp, bit<1> to_receiver) {
        congested = meta.snapshot.queue_bytes >= queue_bytes;
        interval = interval_ns;
        session = clone_session;
        meta.feedback.dscp = response_dscp;
        meta.feedback.to_receiver = to_receiver == 1;
    }

    @id(NO_FEEDBACK_ACTION_ID)
    action no_feedback() {
        subscribed = false;
    }

    @id(FEEDBACK_THRESHOLD_TABLE_ID)
    table feedback_threshold {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { respond_above; no_feedback; }
        const default_action = no_feedback;
        size = PORT_COUNT;
    }

    /* Describes the packet for its clone: earlier hops are on the stack, the own one above. */
    action describe_packet() {
        bit<8> blocks = (hdr.int_shim.length - INT_MD_WORDS) >> 3;
        meta.feedback.hop_index = meta.telemetry.push ? blocks - 1 : HOP_INDEX_UNKNOWN;
        meta.feedback.protocol = meta.l4.protocol;
        meta.feedback.src_port = meta.l4.src_port;
        meta.feedback.dst_port = meta.l4.dst_port;
        meta.feedback.ingress_port = (bit<16>)standard_metadata.ingress_port;
        meta.feedback.egress_port = (bit<16>)standard_metadata.egress_port;
        meta.feedback.queue_id = (bit<8>)standard_metadata.priority;
    }

    apply {
        congested = false;
        interval = 0;
        session = 0;
        bool is_response = hdr.hpcc.isValid() && hdr.hpcc.type == HPCC_SWITCH_RESPONSE;
        bool has_flag = hdr.int_stack.isValid() && hdr.int_md.version == INT_VERSION &&
                        hdr.int_md.domain_id == INT_DOMAIN_ID &&
                        (hdr.int_md.ds_flags & FEEDBACK_DS_FLAG) != 0;
        subscribed = meta.deep.is_complete && meta.port.known && !is_response &&
                     (has_flag || meta.l4.dscp == FEEDBACK_DSCP);
        if (subscribed) {
            feedback_threshold.apply();
        }
        if (subscribed) {
            if (congested) {
                bool is_due;
                limiter.apply(hdr, meta, standard_metadata.egress_port, interval, is_due);
                if (is_due) {
                    describe_packet();
                    outcomes.count(FEEDBACK_SENT);
                    clone_preserving_field_list(CloneType.E2E, session, RESPONSE_FIELDS);
                } else {
                    outcomes.count(FEEDBACK_SUPPRESSED);
                }
            } else {
                outcomes.count(FEEDBACK_BELOW_THRESHOLD);
            }
        }
    }
}  /* feedback_trigger */

#endif  /* FEEDBACK_TRIGGER_P4 */
