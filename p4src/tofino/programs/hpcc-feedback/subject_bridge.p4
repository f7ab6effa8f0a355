#ifndef TOFINO_SUBJECT_BRIDGE_P4
#define TOFINO_SUBJECT_BRIDGE_P4

#include "hpcc_feedback_headers.p4"

/* Tells egress of a subscriber what only ingress can read: its parser has no limit of depth. */
control subject_bridge(inout headers_t hdr, in metadata_t meta) {
    action bridge_subject() {
        hdr.bridge.kind = BRIDGE_OF_SUBSCRIBER;
        hdr.subject.setValid();
        hdr.subject.sequence_kind = meta.subject.sequence_kind;
        hdr.subject.flow_id = meta.subject.flow_id;
        hdr.subject.generation = meta.subject.generation;
        hdr.subject.sequence = meta.subject.sequence;
    }

    apply {
        if (meta.feedback.is_subscribed) {
            bridge_subject();
        }
    }
}  /* subject_bridge */

#endif  /* TOFINO_SUBJECT_BRIDGE_P4 */
