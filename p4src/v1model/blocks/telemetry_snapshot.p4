#ifndef TELEMETRY_SNAPSHOT_P4
#define TELEMETRY_SNAPSHOT_P4

#include "common/config.p4"
#include "common/metadata.p4"

/*
 * Reads queue depth, clock and byte counter together, so that all inputs of HPCC++ belong to the
 * same instant: when this packet left its queue. The counter excludes the packet itself and
 * then takes it in at the size it leaves with; both happen in one action, which makes the
 * read-modify-write atomic.
 */
control telemetry_snapshot(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<64>>(PORT_COUNT) tx_bytes;

    action take(bit<64> pushed_bytes) {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<64> sent_bytes;
        tx_bytes.read(sent_bytes, port);
        tx_bytes.write(port,
                       sent_bytes + (bit<64>)standard_metadata.packet_length + pushed_bytes);
        meta.snapshot.tx_bytes =
            (sent_bytes & ~((bit<64>)meta.port.tx_unit_bytes - 1)) | TX_BYTES_ABSENT;
        meta.snapshot.timestamp_ns = (bit<64>)standard_metadata.egress_global_timestamp *
                                     (bit<64>)meta.port.clock_unit_ns;
        /* 19 + 16 bits fit in 40; the field has 24, so it saturates. */
        bit<40> queue_bytes = (bit<40>)standard_metadata.deq_qdepth *
                              (bit<40>)meta.port.queue_unit_bytes;
        meta.snapshot.queue_bytes = queue_bytes > 0xFFFFFF ? 24w0xFFFFFF : queue_bytes[23:0];
    }

    apply {
        if (meta.telemetry.push) {
            take(INT_HOP_BYTES);
        } else {
            take(0);
        }
    }
}  /* telemetry_snapshot */

#endif  /* TELEMETRY_SNAPSHOT_P4 */
