#ifndef TOFINO_TELEMETRY_SNAPSHOT_P4
#define TOFINO_TELEMETRY_SNAPSHOT_P4

#include "common/config.p4"
#include "common/metadata.p4"
#include "tofino_metadata.p4"
#include "byte_counter.p4"

/*
 * Queue depth, clock and byte counter of one instant, as telemetry_snapshot.p4 takes
 * them: all of the packet that has just left its queue. The counter is the target's, has 32 bits,
 * excludes the packet itself, and takes it in at the size that it leaves with.
 */
control tofino_telemetry_snapshot(inout metadata_t meta) {
    @name(".egress.snapshot") byte_counter() sent;
    bit<32> bytes;
    bit<32> before;

    action measure() {
        bytes = meta.departure.frame_bytes;
    }

    action add_hop() {
        bytes = bytes + INT_HOP_BYTES;
    }

    /* The field has 24 bits. */
    action saturate() {
        meta.departure.queue_bytes = 0xFFFFFF;
    }

    /* The upper word is not available. */
    action keep() {
        meta.snapshot.tx_bytes = 32w0xFFFFFFFF ++ before;
        meta.snapshot.timestamp_ns = (bit<64>)meta.departure.timestamp_ns;
        meta.snapshot.queue_bytes = meta.departure.queue_bytes[23:0];
    }

    apply {
        measure();
        if (meta.telemetry.push) {
            add_hop();
        }
        if (meta.departure.queue_bytes[31:24] != 0) {
            saturate();
        }
        sent.apply(meta.departure.egress_port, bytes, before);
        keep();
    }
}  /* tofino_telemetry_snapshot */

#endif  /* TOFINO_TELEMETRY_SNAPSHOT_P4 */
