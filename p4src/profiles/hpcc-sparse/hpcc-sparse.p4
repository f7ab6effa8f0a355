/*
 * HPCC++ transit switch for v1model whose switches choose which of the packets that ask get
 * telemetry: as hpcc.p4, with one block more.
 */
#include <core.p4>
#include <v1model.p4>

#include "../../config.p4"
#include "../../types.p4"
#include "../../headers.p4"
#include "../../metadata.p4"
#include "packet.p4"
#include "../../parser.p4"
#include "../../checksums.p4"
#include "../../deparser.p4"

#include "../../blocks/admit_and_route.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../blocks/int_admission.p4"
#include "sparse_insertion.p4"
#include "../../blocks/telemetry_snapshot.p4"
#include "../../blocks/int_transit.p4"

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
    sparse_insertion() insertion;
    telemetry_snapshot() snapshot;
    int_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        admission.apply(hdr, meta, standard_metadata);
        insertion.apply(hdr, meta, standard_metadata);
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
