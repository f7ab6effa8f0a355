/*
 * INT v2.1 for v1model, every instruction and carrier: source, transit and sink of INT-MD and
 * INT-MX by tables, any of them by port in one switch, INT-XD, and reports.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"
#include "int_v2_metadata.p4"
#include "int_v2_parser.p4"
#include "int_v2_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "int_methods.p4"
#include "flow_watch.p4"
#include "ingress_side.p4"
#include "node_state.p4"
#include "port_bytes.p4"
#include "int_sink_port.p4"
#include "int_insertion.p4"
#include "hop_admission.p4"
#include "hop_push.p4"
#include "reports/drop_watch.p4"
#include "reports/packet_report.p4"
#include "reports/report_export.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    int_methods() methods;
    flow_watch() watch;
    ingress_side() side;
    drop_watch() drops;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
        if (meta.route.found) {
            methods.apply(hdr, meta);
            watch.apply(hdr, meta);
            side.apply(meta, standard_metadata);
        } else {
            drops.apply(hdr, meta, standard_metadata);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    node_state() state;
    int_sink_port() sink;
    int_insertion() insertion;
    hop_admission() admission;
    port_bytes() bytes;
    hop_push() push;
    report_preparation() preparation;
    report_decision() decision;
    report_export() export;

    apply {
        bit<32> instance = standard_metadata.instance_type;
        /* A clone of egress has the record of the port that the packet left by. */
        if (instance != INSTANCE_EGRESS_CLONE) {
            port.apply(meta, standard_metadata);
        }
        if (instance == INSTANCE_EGRESS_CLONE || instance == INSTANCE_INGRESS_CLONE) {
            export.apply(hdr, meta, standard_metadata);
        } else {
            meta.frame_bytes = standard_metadata.packet_length;
            state.apply(meta, standard_metadata);
            preparation.apply(hdr, meta, standard_metadata);
            sink.apply(hdr, meta, standard_metadata);
            if (meta.watch.wanted) {
                insertion.apply(hdr, meta);
            }
            admission.apply(hdr, meta);
            bytes.apply(meta, standard_metadata);
            if (meta.push.wanted) {
                push.apply(hdr, meta, standard_metadata);
            }
            decision.apply(hdr, meta, standard_metadata);
        }
    }
}

@pkginfo(name = "int-v2", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         report_checksum_update(),
         packet_deparser()) main;
