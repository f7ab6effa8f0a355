#ifndef PADDING_SPEED_P4
#define PADDING_SPEED_P4

#include "packet.p4"


/*
 * The 4-bit code of the link's capacity. The paper does not publish its code points: 0 to 4 are the
 * public simulator's, 5 to 7 continue them, 15 says that the capacity has no code.
 */
control padding_speed(in metadata_t meta, out bit<4> code) {
    action set_code(bit<4> value) {
        code = value;
    }

    table speed_code {
        key = { meta.port.capacity_mbps : exact @name("capacity_mbps"); }
        actions = { set_code; }
        const default_action = set_code(15);
        const entries = {
            25000  : set_code(0);
            50000  : set_code(1);
            100000 : set_code(2);
            200000 : set_code(3);
            400000 : set_code(4);
            800000 : set_code(5);
            10000  : set_code(6);
            40000  : set_code(7);
        }
    }

    apply {
        speed_code.apply();
    }
}  /* padding_speed */

#endif  /* PADDING_SPEED_P4 */
