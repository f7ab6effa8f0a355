#ifndef TOFINO_BYTE_COUNTER_P4
#define TOFINO_BYTE_COUNTER_P4

#include "common/config.p4"
#include "common/types.p4"

/* Bytes that left a port before, in 32 bits; read and write are one action, which is atomic. */
control byte_counter(in port_t port, in bit<32> bytes, out bit<32> before) {
    REGISTER(port_t, PORT_COUNT, tx_bytes);
    REGISTER_ACTION(port_t, tx_bytes, add, { value_before = value; value = value + bytes; })

    action count_frame() {
        EXECUTE(before, add, port);
    }

    apply {
        count_frame();
    }
}  /* byte_counter */

#endif  /* TOFINO_BYTE_COUNTER_P4 */
