/*
 * HPCC++ transit switch with the telemetry of the HPCC paper for v1model, made of the blocks that
 * Tofino runs, with its widths: for tests of what no chip is here to show. Parser and routing are
 * those of ../../profiles/padding.
 */
#include <core.p4>
#include <v1model.p4>

/* What a record adds to the packet, for the byte counter. */
#define INT_HOP_BYTES PADDING_HOP_BYTES

#include "../../config.p4"
#include "../../types.p4"
#include "padding/packet.p4"
#include "target.p4"
#include "padding/parser.p4"
#include "../../checksums.p4"

#include "arrival.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/padding/padding_admission.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "padding/queue_units.p4"
#include "../../portable/padding/padding_transit.p4"
#include "padding/padding_checksum.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") arrival() forwarding;

    apply {
        forwarding.apply(hdr, meta, standard_metadata);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    departure() left;
    padding_admission() admission;
    telemetry_snapshot() snapshot;
    queue_units() units;
    padding_transit() transit;
    padding_checksum() checksum;

    apply {
        bit<16> word_before = hdr.padding.hop_count ++ hdr.padding.path_id;
        port.apply(meta, standard_metadata);
        left.apply(meta, standard_metadata);
        admission.apply(hdr, meta);
        snapshot.apply(meta);
        units.apply(meta);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta, word_before);
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         frame_deparser()) main;
