/*
 * HPCC++ switch for v1model that shows ratios: as hpcc.p4, and telemetry tells the load of a link
 * relative to its capacity, under an alias, for paths that lead to other operators.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_relative_headers.p4"
#include "v1model/blocks/packet_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "relative_scale.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "relative_figures.p4"
#include "v1model/blocks/int_transit.p4"

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
    relative_scale() relative;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    telemetry_snapshot() snapshot;
    relative_figures() figures;
    int_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        relative.apply(meta, standard_metadata);
        admission.apply(hdr, meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        figures.apply(meta);
        /* The alias is of the port: its number would tell how large the switch is. */
        standard_metadata_t shown = standard_metadata;
        shown.ingress_port = 0;
        shown.egress_port = 0;
        transit.apply(hdr, meta, shown);
    }
}

@pkginfo(name = "hpcc-relative", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
