#ifndef QUEUE_SCAN_P4
#define QUEUE_SCAN_P4

#include "hpcc_spray_headers.p4"
#include "common/config.p4"

/*
 * Bytes that wait at each port, as far as ingress can know on v1model, which shows it none: what
 * the latest packet left behind it when it left, and what was sent there since.
 */
register<bit<32>>(PORT_COUNT) waiting_bytes;

/* No path has so much before it. */
const bit<36> RANK_NONE = 0xFFFFFFFFF;

/*
 * The place with the fewest bytes before it; among equals the first one from `from` on, in a
 * circle.
 */
control queue_scan(in metadata_t meta, in bit<3> from, out bit<3> place) {
    bit<36> best;

    action look(port_t port, bit<3> at) {
        bit<32> waiting;
        waiting_bytes.read(waiting, (bit<32>)port);
        bit<3> distance = at - from;
        bit<36> rank = 1w0 ++ at < meta.paths.count ? waiting ++ 1w0 ++ distance : RANK_NONE;
        place = rank < best ? at : place;
        best = rank < best ? rank : best;
    }

    apply {
        best = RANK_NONE;
        place = 0;
        look(meta.paths.port_0, 0);
        look(meta.paths.port_1, 1);
        look(meta.paths.port_2, 2);
        look(meta.paths.port_3, 3);
        look(meta.paths.port_4, 4);
        look(meta.paths.port_5, 5);
        look(meta.paths.port_6, 6);
        look(meta.paths.port_7, 7);
    }
}  /* queue_scan */

/* Ingress sends a packet to a port. */
control waiting_more(in port_t port, in standard_metadata_t standard_metadata) {
    action add() {
        bit<32> waiting;
        waiting_bytes.read(waiting, (bit<32>)port);
        waiting_bytes.write((bit<32>)port, waiting |+| standard_metadata.packet_length);
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

#endif  /* QUEUE_SCAN_P4 */
