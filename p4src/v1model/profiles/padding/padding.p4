/*
 * HPCC++ transit switch with the telemetry of the HPCC paper: a padding between UDP and transport.
 * This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

/* Bytes that a record adds to the packet, for the byte counter. */
#define INT_HOP_BYTES PADDING_HOP_BYTES

#include "common/config.p4"
#include "common/types.p4"
#include "padding_headers.p4"
#include "padding_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "padding_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "padding_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "padding_transit.p4"

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
    padding_admission() admission;
    telemetry_snapshot() snapshot;
    padding_transit() transit;

    apply {
        port.apply(meta, standard_metadata);
        admission.apply(hdr, meta);
        snapshot.apply(meta, standard_metadata);
        transit.apply(hdr, meta);
    }
}

@pkginfo(name = "padding", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
