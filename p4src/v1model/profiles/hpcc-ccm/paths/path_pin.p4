#ifndef PATH_PIN_P4
#define PATH_PIN_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"

/*
 * Finds the way that a flow has been on. Nobody changes the cell until the same packet writes it:
 * on v1model ingress handles one packet at a time.
 */
control path_pin(inout metadata_t meta, in bit<64> pin_age_ns) {
    action look() {
        bit<32> state;
        bit<64> time_ns;
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        pin_states.read(state, cell);
        pin_times.read(time_ns, cell);
        meta.pin.gap_ns = meta.paths.now_ns - time_ns;
        bool is_alive = state[31:31] == 1 && meta.pin.gap_ns < pin_age_ns;
        meta.pin.is_own = is_alive && state[24:9] == meta.flow.digest;
        meta.pin.is_foreign = is_alive && state[24:9] != meta.flow.digest;
        meta.pin.port = meta.pin.is_own ? state[8:0] : NO_PORT;
        meta.pin.move = meta.pin.is_own ? state[30:30] : 0;
        meta.pin.stays = meta.pin.is_own ? state[29:29] : 0;
        meta.pin.slot = state[27:25];
    }

    apply {
        look();
    }
}  /* path_pin */

/* Pins a flow to a way, or remembers that it shall move; a cell of a flow that lives stays its. */
control path_pin_update(in metadata_t meta, in port_t port, in bit<1> move) {
    action pin() {
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        pin_states.write(cell, 1w1 ++ move ++ meta.pin.stays ++ 4w0 ++ meta.flow.digest ++ port);
        pin_times.write(cell, meta.paths.now_ns);
    }

    apply {
        if (!meta.pin.is_foreign) {
            pin();
        }
    }
}  /* path_pin_update */

#endif  /* PATH_PIN_P4 */
