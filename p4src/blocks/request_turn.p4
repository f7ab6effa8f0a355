#ifndef REQUEST_TURN_P4
#define REQUEST_TURN_P4

#include "../packet.p4"
#include "../coordination/types.p4"

/*
 * One flow per port and window of the loads asks to be sent another way: if all did, all would
 * leave and meet again elsewhere. Without windows every flow asks.
 */
control request_turn(in metadata_t meta, in port_t port, inout bool is_due) {
    register<bit<16>>(PORT_COUNT) turns;

    action look() {
        bit<16> last;
        turns.read(last, (bit<32>)port);
        is_due = is_due && last != 8w1 ++ meta.paths.window;
        turns.write((bit<32>)port, is_due ? 8w1 ++ meta.paths.window : last);
    }

    apply {
        if (meta.paths.window_shift != 0) {
            look();
        }
    }
}  /* request_turn */

#endif  /* REQUEST_TURN_P4 */
