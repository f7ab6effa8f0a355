/*
 * HPCC++ switch with fast feedback for Tofino 1 and 2 (TNA): what the profile hpcc-feedback
 * does. A packet that asks for an answer is mirrored to a port that recirculates; there its copy
 * becomes the answer, and ingress routes it. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define BLOOM_CELLS 65536

#include "common/config.p4"
#include "common/types.p4"
#include "tofino/target/parts.p4"
#include "hpcc_feedback_headers.p4"
#include "hpcc_feedback_parsers.p4"
#include "hpcc_feedback_deparsers.p4"

#include "tofino/target/target.p4"
#include "tofino/target/ttl_checksum.p4"
#include "tofino/blocks/forwarding.p4"
#include "tofino/blocks/hpcc-feedback/subscription.p4"
#include "tofino/blocks/hpcc-feedback/sequence_number.p4"
#include "common/port_telemetry.p4"
#include "tofino/target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"
#include "tofino/blocks/hpcc-feedback/hop_index.p4"
#include "tofino/blocks/hpcc-feedback/tofino_feedback_trigger.p4"
#include "tofino/blocks/hpcc-feedback/tofino_feedback_response.p4"
#include "subject_bridge.p4"
#include "feedback_verdict.p4"

control ingress(INGRESS_PARAMETERS) {
    @name(".ingress") forwarding() forward;
    subscription() subscribers;
    sequence_number() number;
    ttl_checksum() checksum;
    @name(".ingress") bridging() front;
    subject_bridge() bridge;

    apply {
        forward.apply(hdr, meta, ig_tm_md.ucast_egress_port, ig_dprsr_md.drop_ctl);
        checksum.apply(hdr);
        front.apply(hdr.bridge, ig_intr_md.ingress_port);
        subscribers.apply(hdr, meta);
        number.apply(hdr, meta);
        bridge.apply(hdr, meta);
    }
}

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departure() left;
    @name(".egress") telemetry_node() node;
    hop_index() index;
    tofino_feedback_trigger() feedback;
    copy_place() place;
    feedback_verdict() verdict;

    /* A copy has no INT, and packets that leave the recirculating port may be counted. */
    apply {
        place.apply(hdr, meta, eg_intr_md);
        port.apply(meta, meta.target.standard);
        left.apply(meta, eg_intr_md, eg_prsr_md);
        feedback.apply(hdr, meta, meta.target.standard.egress_port);
        node.apply(hdr, meta);
        index.apply(meta);
        verdict.apply(hdr, meta, eg_dprsr_md);
    }
}

#include "tofino/target/pipeline.p4"
