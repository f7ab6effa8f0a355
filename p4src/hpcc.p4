/*
 * HPCC++ transit switch for v1model: IPv4 and IPv6 routing with ECMP, and INT-MD v2.1 telemetry of
 * the domain "HP" in every TCP or UDP packet that asks for it. This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

#include "config.p4"
#include "types.p4"
#include "headers.p4"
#include "metadata.p4"
#include "packet.p4"
#include "parser.p4"
#include "checksums.p4"
#include "deparser.p4"

#include "blocks/admit_and_route.p4"
#include "blocks/port_telemetry.p4"
#include "blocks/int_admission.p4"
#include "blocks/telemetry_snapshot.p4"
#include "blocks/int_transit.p4"

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
