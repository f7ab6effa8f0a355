/*
 * HPCC++ switch with fast feedback for v1model, made of the blocks that Tofino runs, with its
 * widths: for tests of what no chip is here to show. Parser and routing are those of
 * the profile hpcc-feedback.
 */
#include <core.p4>
#include <v1model.p4>

#define BLOOM_CELLS 65536
/* Value of standard_metadata.instance_type, at ingress. */
#define INSTANCE_RECIRCULATED 4

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"
#include "hpcc_feedback_headers.p4"
#include "../target/model_target.p4"
#include "hpcc_feedback_parser.p4"
#include "hpcc_feedback_deparser.p4"

#include "../target/arrival.p4"
#include "common/port_telemetry.p4"
#include "response_packet.p4"
#include "../target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"
#include "tofino/blocks/hpcc-feedback/subscription.p4"
#include "tofino/blocks/hpcc-feedback/sequence_number.p4"
#include "tofino/blocks/hpcc-feedback/hop_index.p4"
#include "tofino/blocks/hpcc-feedback/tofino_feedback_trigger.p4"
#include "tofino/blocks/hpcc-feedback/tofino_feedback_response.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") arrival() forwarding;

    apply {
        forwarding.apply(hdr, meta, standard_metadata);
        meta.copy.has_tail = standard_metadata.instance_type == INSTANCE_RECIRCULATED;
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    model_response_trim() trim;
    model_departure() left;
    int_flags() flags;
    @name(".egress") telemetry_node() node;
    subscription() subscribers;
    sequence_number() number;
    hop_index() index;
    tofino_feedback_trigger() feedback;
    response_subject() subject;
    response_headers() headers;
    tofino_feedback_response() response;

    apply {
        meta.feedback.is_copy = standard_metadata.instance_type == INSTANCE_EGRESS_CLONE;
        port_t egress_port = standard_metadata.egress_port;
        if (meta.feedback.is_copy) {
            egress_port = meta.subject.egress_port;
            left.apply(meta, standard_metadata);
        } else {
            flags.apply(hdr, meta);
            subscribers.apply(hdr, meta);
            number.apply(hdr, meta);
            port.apply(meta, standard_metadata);
            trim.apply(hdr, meta, standard_metadata);
            left.apply(meta, standard_metadata);
            node.apply(hdr, meta);
            index.apply(meta);
        }
        feedback.apply(hdr, meta, egress_port);
        if (meta.feedback.asks) {
            subject.apply(meta);
            clone_preserving_field_list(CloneType.E2E, meta.feedback.session, RESPONSE_FIELDS);
        } else if (meta.feedback.answers) {
            headers.apply(hdr);
            response.apply(hdr, meta);
            recirculate_preserving_field_list(NO_FIELDS);
        } else if (meta.feedback.is_copy) {
            mark_to_drop(standard_metadata);
        }
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         feedback_checksum_update(),
         frame_deparser()) main;
