/*
 * HPCC++ switch with coordinated congestion management for v1model (docs/coordination.md): as
 * hpcc.p4, and flows change paths while there is a light one, and sources are told otherwise.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "hpcc_ccm_headers.p4"
#include "hpcc_ccm_parser.p4"
#include "hpcc_ccm_deparser.p4"

#include "v1model/blocks/checksums.p4"
#include "v1model/blocks/admit_and_route.p4"
#include "flow_identity.p4"
#include "v1model/profiles/hpcc-ccm/notifications/notification_exchange.p4"
#include "v1model/profiles/hpcc-ccm/paths/path_coordination.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "coordination_tag.p4"
#include "v1model/profiles/hpcc-ccm/notifications/notification_send.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "port_congestion.p4"
#include "incast_control.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    flow_identity() flow;
    notification_exchange() notification;
    path_coordination() coordination;

    apply {
        bool consumed;
        flow.apply(hdr, meta);
        notification.apply(hdr, meta, standard_metadata, consumed);
        if (consumed) {
            mark_to_drop(standard_metadata);
        } else {
            forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
            if (meta.route.found) {
                coordination.apply(hdr, meta, standard_metadata);
            }
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    tag_removal() tag;
    notification_trim() trim;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    port_congestion() congestion;
    incast_control() incast;
    notification_build() notification;

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE ||
            standard_metadata.instance_type == INSTANCE_INGRESS_CLONE) {
            notification.apply(hdr, meta);
        } else {
            port.apply(meta, standard_metadata);
            admission.apply(hdr, meta, standard_metadata);
            tag.apply(hdr, standard_metadata);
            trim.apply(hdr, meta, standard_metadata);
            snapshot.apply(meta, standard_metadata);
            transit.apply(hdr, meta, standard_metadata);
            congestion.apply(hdr, meta, standard_metadata);
            incast.apply(hdr, meta, standard_metadata);
        }
    }
}

@pkginfo(name = "hpcc-ccm", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
