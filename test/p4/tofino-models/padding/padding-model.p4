/*
 * HPCC++ transit switch with the telemetry of the HPCC paper for v1model, made of the blocks that
 * Tofino runs, with its widths: for tests of what no chip is here to show. Parser and routing are
 * those of the profile padding.
 */
#include <core.p4>
#include <v1model.p4>

/* Bytes that a record adds to the packet, for the byte counter. */
#define INT_HOP_BYTES PADDING_HOP_BYTES

#include "common/config.p4"
#include "common/types.p4"
#include "padding_headers.p4"
#include "../target/model_target.p4"
#include "padding_parser.p4"
#include "v1model/blocks/checksums.p4"

#include "../target/arrival.p4"
#include "common/port_telemetry.p4"
#include "tofino/blocks/padding/tofino_padding_admission.p4"
#include "tofino/blocks/tofino_telemetry_snapshot.p4"
#include "queue_units.p4"
#include "tofino/blocks/padding/tofino_padding_transit.p4"
#include "padding_checksum.p4"

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
    model_departure() left;
    tofino_padding_admission() admission;
    tofino_telemetry_snapshot() snapshot;
    model_queue_units() units;
    tofino_padding_transit() transit;
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
