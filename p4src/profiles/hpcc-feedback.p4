/*
 * HPCC++ switch with fast feedback for v1model: as hpcc.p4, and the switch itself answers packets
 * that subscribe when their queue is long.
 */
#include <core.p4>
#include <v1model.p4>

#include "../config.p4"
#include "../types.p4"
#include "../v1model_quirks.p4"
#include "../feedback/types.p4"
#include "../feedback/packet.p4"
#include "../feedback/parser.p4"
#include "../feedback/checksums.p4"
#include "../feedback/deparser.p4"

#include "../blocks/ip_admission.p4"
#include "../blocks/l3_route.p4"
#include "../blocks/port_telemetry.p4"
#include "../blocks/int_admission.p4"
#include "../blocks/response_trim.p4"
#include "../blocks/telemetry_snapshot.p4"
#include "../blocks/int_transit.p4"
#include "../blocks/feedback_trigger.p4"
#include "../blocks/feedback_response.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(DROP_CAUSES, CounterType.packets_and_bytes) drops;

    ip_admission() admission;
    l3_route() route;

    apply {
        bool admitted;
        bit<32> cause;
        admission.apply(hdr, standard_metadata, admitted, cause);
        if (admitted) {
            route.apply(hdr, meta, standard_metadata);
            admitted = meta.route.found;
            cause = DROP_NO_ROUTE;
        }
        if (!admitted) {
            drops.count(cause);
            mark_to_drop(standard_metadata);
        }
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

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE) {
            response.apply(hdr, meta, standard_metadata);
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

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         feedback_checksum_update(),
         packet_deparser()) main;
