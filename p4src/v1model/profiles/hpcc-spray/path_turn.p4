#ifndef PATH_TURN_P4
#define PATH_TURN_P4

#include "equal_paths.p4"
#include "common/config.p4"

/* By group of equal paths: whose turn is next (bits 2 to 0), if there was one before (bit 3). */
register<bit<4>>(ROUTE_TABLE_SIZE) turns;

/* The place that is drawn: each of the equal paths as likely as another. */
control drawn_place(in metadata_t meta, out bit<3> place) {
    apply {
        bit<16> draw;
        random(draw, 16w0, 16w0xFFFF);
        bit<20> product = (bit<20>)draw * (bit<20>)meta.paths.count;
        place = product[18:16];
    }
}  /* drawn_place */

/*
 * The place whose turn it is among the packets to one destination. The first one is another for
 * each, so that packets that come at the same time do not all begin at the same place.
 */
control next_place(in metadata_t meta, out bit<3> place) {
    apply {
        bit<4> turn;
        turns.read(turn, (bit<32>)meta.paths.group);
        bit<3> next = turn[3:3] == 1 ? turn[2:0] : meta.paths.first;
        place = 1w0 ++ next < meta.paths.count ? next : 3w0;
    }
}  /* next_place */

/* The turn goes on behind the place that was taken. */
control turn_taken(in metadata_t meta, in bit<3> place) {
    apply {
        bit<4> next = (1w0 ++ place) + 1;
        turns.write((bit<32>)meta.paths.group,
                    1w1 ++ (next < meta.paths.count ? next[2:0] : 3w0));
    }
}  /* turn_taken */

/* The port at a place. */
control port_at(in metadata_t meta, in bit<3> place, out port_t port) {
    apply {
        port_t low = place[1:1] == 0 ? (place[0:0] == 0 ? meta.paths.port_0 : meta.paths.port_1)
                                     : (place[0:0] == 0 ? meta.paths.port_2 : meta.paths.port_3);
        port_t high = place[1:1] == 0 ? (place[0:0] == 0 ? meta.paths.port_4 : meta.paths.port_5)
                                      : (place[0:0] == 0 ? meta.paths.port_6 : meta.paths.port_7);
        port = place[2:2] == 0 ? low : high;
    }
}  /* port_at */

#endif  /* PATH_TURN_P4 */
