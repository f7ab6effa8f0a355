#ifndef PATH_PIN_UPDATE_P4
#define PATH_PIN_UPDATE_P4

#include "../packet.p4"
#include "../coordination/state.p4"

/* Pins a flow to a way, or remembers that it shall move; a cell of a flow that lives stays its. */
control path_pin_update(in metadata_t meta, in port_t port, in bit<1> move) {
    action pin() {
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        pin_states.write(cell, 1w1 ++ move ++ 5w0 ++ meta.flow.digest ++ port);
        pin_times.write(cell, meta.paths.now_ns);
    }

    apply {
        if (!meta.pin.is_foreign) {
            pin();
        }
    }
}  /* path_pin_update */

#endif  /* PATH_PIN_UPDATE_P4 */
