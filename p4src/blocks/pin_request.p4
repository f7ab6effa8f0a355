#ifndef PIN_REQUEST_P4
#define PIN_REQUEST_P4

#include "../packet.p4"
#include "../coordination/state.p4"

/* Marks the pin of a flow, so that its next packets leave the way that it is on. */
control pin_request(in metadata_t meta, out bool is_known) {
    action mark() {
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        bit<32> state;
        pin_states.read(state, cell);
        is_known = state[31:31] == 1 && state[24:9] == meta.flow.digest;
        pin_states.write(cell, is_known ? state | 0x40000000 : state);
    }

    apply {
        mark();
    }
}  /* pin_request */

#endif  /* PIN_REQUEST_P4 */
