#ifndef QUEUE_SCAN_P4
#define QUEUE_SCAN_P4

#include "equal_paths.p4"
#include "common/config.p4"

/* No path has so much before it. */
const bit<36> RANK_NONE = 0xFFFFFFFFF;

/*
 * The place with the fewest bytes before it, by what waits at each port; among equals the first one
 * from `from` on, in a circle.
 */
control queue_scan(in metadata_t meta, in bit<3> from, out bit<3> place)
                  (register<bit<32>> waiting_bytes) {
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

#endif  /* QUEUE_SCAN_P4 */
