#ifndef TOFINO_FEEDBACK_VERDICT_P4
#define TOFINO_FEEDBACK_VERDICT_P4

#include "hpcc_feedback_headers.p4"
#include "tofino/target/ipv4_checksum.p4"
#include "tofino/blocks/hpcc-feedback/tofino_feedback_response.p4"

/* The queue and the port, in the form in which a packet tells them and its copy reads them. */
control copy_place(in headers_t hdr, inout metadata_t meta,
                   in egress_intrinsic_metadata_t eg_intr_md) {
    action note_place() {
        @in_hash { meta.copy.place = (bit<7>)eg_intr_md.egress_qid ++ eg_intr_md.egress_port; }
        @in_hash { meta.subject.queue_id = 1w0 ++ hdr.copy.queue_id; }
    }

    apply {
        note_place();
    }
}  /* copy_place */

/* Makes a copy of a packet that asks for an answer, and of a copy the answer, or nothing. */
control feedback_verdict(inout headers_t hdr, inout metadata_t meta,
                         inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    tofino_feedback_response() response;
    ipv4_renewal() checksum;

    action mirror() {
        hdr.bridge.kind = BRIDGE_OF_COPY;
        eg_dprsr_md.mirror_type = MIRROR_COPY;
    }

    action name_protocol() {
        meta.copy.protocol = (bit<16>)PROTOCOL_UDP;
    }

    action drop() {
        eg_dprsr_md.drop_ctl = 1;
    }

    apply {
        if (meta.feedback.asks) {
            mirror();
        } else if (meta.feedback.answers) {
            response.apply(hdr, meta);
            checksum.apply(hdr, meta);
            name_protocol();
        } else if (meta.feedback.is_copy) {
            drop();
        }
    }
}  /* feedback_verdict */

#endif  /* TOFINO_FEEDBACK_VERDICT_P4 */
