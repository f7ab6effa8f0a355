/*
 * HPCC++ switch with fast feedback for Tofino 1 and 2 (TNA): what ../../profiles/hpcc-feedback
 * does. A packet that asks for an answer is mirrored to a port that recirculates; there its copy
 * becomes the answer, and ingress routes it. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define BLOOM_CELLS 65536

#include "../../config.p4"
#include "../../types.p4"
#include "hpcc-feedback/packet.p4"
#include "hpcc-feedback/ingress_parser.p4"
#include "hpcc-feedback/egress_parser.p4"
#include "hpcc-feedback/deparsers.p4"

#include "forwarding.p4"
#include "../../portable/hpcc-feedback/subscription.p4"
#include "../../portable/hpcc-feedback/sequence_number.p4"
#include "target.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/int_admission.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "../../portable/int_transit.p4"
#include "int_checksum.p4"
#include "hpcc-feedback/response_filter.p4"
#include "../../portable/hpcc-feedback/hop_index.p4"
#include "../../portable/hpcc-feedback/feedback_trigger.p4"
#include "../../portable/hpcc-feedback/feedback_response.p4"
#include "hpcc-feedback/subject_bridge.p4"
#include "hpcc-feedback/feedback_verdict.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                in ingress_intrinsic_metadata_t ig_intr_md,
                in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
                inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
                inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    @name(".ingress") forwarding() forward;
    subscription() subscribers;
    sequence_number() number;
    subject_bridge() bridge;

    apply {
        forward.apply(hdr, meta, ig_intr_md, ig_dprsr_md, ig_tm_md);
        subscribers.apply(hdr, meta);
        number.apply(hdr, meta);
        bridge.apply(hdr, meta);
    }
}

@pa_auto_init_metadata
control egress(inout headers_t hdr,
               inout metadata_t meta,
               in egress_intrinsic_metadata_t eg_intr_md,
               in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
               inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
               inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    port_telemetry() port;
    departure() left;
    int_admission() admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_checksum() checksum;
    hop_index() index;
    feedback_trigger() feedback;
    copy_place() place;
    feedback_verdict() verdict;

    /* Of a copy there is no INT, and what leaves the port that recirculates may be counted. */
    apply {
        place.apply(hdr, meta, eg_intr_md);
        port.apply(meta, meta.standard);
        left.apply(meta, eg_intr_md, eg_prsr_md);
        feedback.apply(hdr, meta, meta.standard.egress_port);
        admission.apply(hdr, meta);
        index.apply(meta);
        snapshot.apply(meta);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta);
        verdict.apply(hdr, meta, eg_dprsr_md);
    }
}

Pipeline(ingress_parser(), ingress(), ingress_deparser(),
         egress_parser(), egress(), egress_deparser()) pipe;
Switch(pipe) main;
