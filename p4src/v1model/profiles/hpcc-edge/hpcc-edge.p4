/*
 * HPCC++ edge switch for v1model: as hpcc.p4, and INT source and sink for hosts that cannot do INT,
 * with reports to a collector, and without trust in telemetry from outside.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"
#include "hpcc_edge_metadata.p4"
#include "hpcc_edge_parser.p4"
#include "hpcc_edge_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "int_trust.p4"
#include "int_watch.p4"
#include "common/port_telemetry.p4"
#include "int_source.p4"
#include "v1model/blocks/int_admission.p4"
#include "int_sink.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "int_report.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    int_trust() trust;
    int_watch() watch;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
        if (meta.route.found) {
            trust.apply(hdr, meta, standard_metadata);
            watch.apply(hdr, meta);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    int_source() source;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    int_sink() sink;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_report() report;

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE) {
            report.apply(hdr, meta, standard_metadata);
        } else {
            port.apply(meta, standard_metadata);
            source.apply(hdr, meta, standard_metadata);
            admission.apply(hdr, meta, standard_metadata);
            sink.apply(hdr, meta, standard_metadata);
            snapshot.apply(meta, standard_metadata);
            transit.apply(hdr, meta, standard_metadata);
        }
    }
}

@pkginfo(name = "hpcc-edge", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         edge_checksum_update(),
         packet_deparser()) main;
