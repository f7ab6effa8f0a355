/*
 * HPCC++ transit switch with the compact tag of CSIG (Congestion Signaling) as telemetry.
 * This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

#include "../config.p4"
#include "../types.p4"
#include "../carriers/csig/packet.p4"
#include "../carriers/csig/parser.p4"
#include "../checksums.p4"
#include "../carriers/csig/deparser.p4"

#include "../carriers/common/l3_ingress.p4"
#include "../blocks/port_telemetry.p4"
#include "../blocks/telemetry_snapshot.p4"
#include "../carriers/csig/csig_bandwidth.p4"
#include "../carriers/csig/csig_bucket.p4"
#include "../carriers/csig/csig_admission.p4"
#include "../carriers/csig/csig_transit.p4"

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    telemetry_snapshot() snapshot;
    csig_bandwidth() bandwidth;
    csig_bucket() bucket;
    csig_admission() admission;
    csig_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        bandwidth.apply(meta, standard_metadata);
        bucket.apply(hdr, meta, standard_metadata);
        admission.apply(hdr, meta);
        transit.apply(hdr, meta, standard_metadata);
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
