/*
 * HPCC++ transit switch for v1model that chooses a path for each packet instead of each flow: as
 * hpcc.p4, with a block more on either side of the queues.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "hpcc_spray_headers.p4"
#include "v1model/blocks/packet_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "path_spray.p4"
#include "waiting_bytes.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    path_spray(waiting_bytes) spray;
    waiting_more() more;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
        if (meta.route.found) {
            spray.apply(hdr, meta, standard_metadata);
            more.apply(standard_metadata);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    telemetry_snapshot() snapshot;
    waiting_known() waiting;
    int_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        admission.apply(hdr, meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        waiting.apply(meta, standard_metadata);
        transit.apply(hdr, meta, standard_metadata);
    }
}

@pkginfo(name = "hpcc-spray", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
