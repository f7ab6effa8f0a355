#ifndef WAITING_BYTES_P4
#define WAITING_BYTES_P4

#include "common/config.p4"
#include "common/metadata.p4"

/*
 * Bytes that wait at each port, as far as ingress can know on v1model, which shows it none: what
 * the latest packet left behind it when it left, and what was sent there since.
 */
register<bit<32>>(PORT_COUNT) waiting_bytes;

/* Ingress sends a packet to a port. */
control waiting_more(in standard_metadata_t standard_metadata) {
    action add() {
        bit<32> waiting;
        bit<32> port = (bit<32>)standard_metadata.egress_spec;
        waiting_bytes.read(waiting, port);
        waiting_bytes.write(port, waiting |+| standard_metadata.packet_length);
    }

    apply {
        add();
    }
}  /* waiting_more */

/* A packet has left its queue: what it left behind it is known. */
control waiting_known(in metadata_t meta, in standard_metadata_t standard_metadata) {
    apply {
        waiting_bytes.write((bit<32>)standard_metadata.egress_port,
                            (bit<32>)meta.snapshot.queue_bytes);
    }
}  /* waiting_known */

#endif  /* WAITING_BYTES_P4 */
