/*
 * HPCC++ transit switch with the telemetry of the HPCC paper, a padding between UDP and transport,
 * for Tofino 1 and 2 (TNA): what ../../profiles/padding does. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

/* What a record adds to the packet, for the byte counter. */
#define INT_HOP_BYTES PADDING_HOP_BYTES
/* Seven records at most: Tofino 1 reads 160 bytes at egress, 101 of them before records. */
#define PADDING_FULL 8

#include "../../config.p4"
#include "../../types.p4"
#include "parts.p4"
#include "padding/packet.p4"
#include "padding/parsers.p4"
#include "padding/deparser.p4"

#include "target.p4"
#include "ingress.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/padding/padding_admission.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "padding/queue_units.p4"
#include "../../portable/padding/padding_transit.p4"
#include "padding/padding_checksum.p4"

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departing_packet() left;
    padding_admission() admission;
    telemetry_snapshot() snapshot;
    queue_units() units;
    padding_transit() transit;
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

#include "pipeline.p4"
