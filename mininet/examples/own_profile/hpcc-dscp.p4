/*
 * A profile of one's own: the transit switch of this project, and a counter per DSCP. All but two
 * lines are those of p4src/v1model/profiles/hpcc/hpcc.p4; the blocks come from p4src, and one from beside this file.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/profiles/hpcc/hpcc_headers.p4"
#include "v1model/blocks/packet_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "dscp_counter.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    dscp_counter() dscp;

    apply {
        dscp.apply(hdr);
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        admission.apply(hdr, meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        transit.apply(hdr, meta, standard_metadata);
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
