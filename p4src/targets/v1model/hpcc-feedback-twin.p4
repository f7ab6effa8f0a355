/*
 * HPCC++ switch with fast feedback for v1model, made of the blocks that Tofino runs, with its
 * widths: for tests of what no chip is here to show. Parser and routing are those of
 * ../../profiles/hpcc-feedback.
 */
#include <core.p4>
#include <v1model.p4>

#define BLOOM_CELLS 65536

#include "../../config.p4"
#include "../../types.p4"
#include "../../v1model_quirks.p4"
#include "hpcc-feedback/packet.p4"
#include "../../profiles/hpcc-feedback/parser.p4"
#include "../../profiles/hpcc-feedback/deparser.p4"

#include "target.p4"
#include "../../blocks/admit_and_route.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/int_admission.p4"
#include "hpcc-feedback/response_packet.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "../../portable/int_transit.p4"
#include "int_checksum.p4"
#include "hpcc-feedback/response_filter.p4"
#include "../../portable/hpcc-feedback/subscription.p4"
#include "../../portable/hpcc-feedback/sequence_number.p4"
#include "../../portable/hpcc-feedback/hop_index.p4"
#include "../../portable/hpcc-feedback/feedback_trigger.p4"
#include "../../portable/hpcc-feedback/feedback_response.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    response_trim() trim;
    departure() left;
    int_admission() admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_checksum() checksum;
    subscription() subscribers;
    sequence_number() number;
    hop_index() index;
    feedback_trigger() feedback;
    response_subject() subject;
    response_headers() headers;
    feedback_response() response;

    apply {
        meta.feedback.is_copy = standard_metadata.instance_type == INSTANCE_EGRESS_CLONE;
        port_t egress_port = standard_metadata.egress_port;
        if (meta.feedback.is_copy) {
            egress_port = meta.subject.egress_port;
            left.apply(meta, standard_metadata);
        } else {
            bit<16> flags_before = hdr.int_md.version ++ hdr.int_md.d ++ hdr.int_md.e ++
                                   hdr.int_md.m ++ hdr.int_md.reserved[11:3];
            subscribers.apply(hdr, meta);
            number.apply(hdr, meta);
            port.apply(meta, standard_metadata);
            trim.apply(hdr, standard_metadata);
            left.apply(meta, standard_metadata);
            admission.apply(hdr, meta);
            index.apply(meta);
            snapshot.apply(meta);
            transit.apply(hdr, meta);
            checksum.apply(hdr, meta, flags_before);
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
         packet_deparser()) main;
