/*
 * HPCC++ switch with coordinated congestion management for v1model (docs/coordination.md): as
 * hpcc.p4, and flows change paths while there is a light one, and sources are told otherwise.
 */
#include <core.p4>
#include <v1model.p4>

#include "../config.p4"
#include "../coordination/packet.p4"
#include "../coordination/parser.p4"
#include "../coordination/checksums.p4"
#include "../coordination/deparser.p4"

#include "../blocks/ip_admission.p4"
#include "../blocks/l3_route.p4"
#include "../blocks/flow_identity.p4"
#include "../blocks/notification_exchange.p4"
#include "../blocks/path_coordination.p4"
#include "../blocks/port_telemetry.p4"
#include "../blocks/int_admission.p4"
#include "../blocks/tag_removal.p4"
#include "../blocks/notification_trim.p4"
#include "../blocks/telemetry_snapshot.p4"
#include "../blocks/int_transit.p4"
#include "../blocks/port_congestion.p4"
#include "../blocks/incast_control.p4"
#include "../blocks/notification_build.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(DROP_CAUSES, CounterType.packets_and_bytes) drops;

    ip_admission() admission;
    l3_route() route;
    flow_identity() flow;
    notification_exchange() notification;
    path_coordination() coordination;

    apply {
        bool admitted;
        bit<32> cause;
        bool consumed = false;
        admission.apply(hdr, standard_metadata, admitted, cause);
        if (admitted) {
            flow.apply(hdr, meta);
            notification.apply(hdr, meta, standard_metadata, consumed);
        }
        if (admitted && !consumed) {
            route.apply(hdr, meta, standard_metadata);
            admitted = meta.route.found;
            cause = DROP_NO_ROUTE;
        }
        if (!admitted) {
            drops.count(cause);
        }
        if (admitted && !consumed) {
            coordination.apply(hdr, meta, standard_metadata);
        } else {
            mark_to_drop(standard_metadata);
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

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         coordination_checksum_update(),
         packet_deparser()) main;
