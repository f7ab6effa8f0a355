/*
 * HPCC++ transit switch with the telemetry of the HPCC paper, a padding between UDP and transport,
 * for Tofino 1 and 2 (TNA): what the profile padding does. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

/* Bytes that a record adds to the packet, for the byte counter. */
#define INT_HOP_BYTES PADDING_HOP_BYTES
/* Seven records at most: Tofino 1 reads 160 bytes at egress, 101 of them before records. */
#define PADDING_FULL 8

#include "common/config.p4"
#include "common/types.p4"
#include "tofino/target/parts.p4"
#include "padding_headers.p4"
#include "padding_parsers.p4"
#include "padding_deparser.p4"

#include "tofino/target/target.p4"
#include "tofino/target/transit_ingress.p4"
#include "common/port_telemetry.p4"
#include "tofino/blocks/padding/tofino_padding_admission.p4"
#include "tofino/blocks/tofino_telemetry_snapshot.p4"
#include "queue_units.p4"
#include "tofino/blocks/padding/tofino_padding_transit.p4"
#include "padding_checksum.p4"

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departing_packet() left;
    tofino_padding_admission() admission;
    tofino_telemetry_snapshot() snapshot;
    queue_units() units;
    tofino_padding_transit() transit;
    padding_checksum() checksum;

    apply {
        hdr.bridge.setInvalid();
        port.apply(meta, meta.target.standard);
        left.apply(meta, eg_intr_md, eg_prsr_md);
        admission.apply(hdr, meta);
        snapshot.apply(meta);
        units.apply(meta, eg_intr_md);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta);
    }
}

#include "tofino/target/pipeline.p4"
