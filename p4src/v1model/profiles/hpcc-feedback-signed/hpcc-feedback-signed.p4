/*
 * HPCC++ switch with signed fast feedback for v1model: as hpcc-feedback.p4, and
 * hosts that have the key know that an answer is the switch's, and new.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"
#include "hpcc_feedback_signed_headers.p4"
#include "v1model/profiles/hpcc-feedback/hpcc_feedback_parser.p4"
#include "hpcc_feedback_signed_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/profiles/hpcc-feedback/feedback_response.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "v1model/profiles/hpcc-feedback/feedback_trigger.p4"
#include "response_signature.p4"

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
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    response_trim() trim;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    feedback_trigger() feedback;
    feedback_response() response;
    response_signature() signature;

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE) {
            response.apply(hdr, meta, standard_metadata);
            signature.apply(hdr);
        } else {
            port.apply(meta, standard_metadata);
            admission.apply(hdr, meta, standard_metadata);
            trim.apply(hdr, standard_metadata);
            snapshot.apply(meta, standard_metadata);
            transit.apply(hdr, meta, standard_metadata);
            feedback.apply(hdr, meta, standard_metadata);
        }
    }
}

@pkginfo(name = "hpcc-feedback-signed", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         signed_checksum_update(),
         signed_deparser()) main;
