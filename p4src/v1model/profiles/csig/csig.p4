/*
 * HPCC++ transit switch with the compact tag of CSIG (Congestion Signaling) as telemetry.
 * This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "csig_headers.p4"
#include "csig_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "csig_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "csig_bandwidth.p4"
#include "csig_bucket.p4"
#include "csig_transit.p4"

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

@pkginfo(name = "csig", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
