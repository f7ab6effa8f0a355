#ifndef TOFINO_ONE_IN_P4
#define TOFINO_ONE_IN_P4

#include "common/config.p4"

/* Number of packets of `interval` that the counter `slot` has seen before this one. */
control one_in(in bit<32> slot, in bit<32> interval, out bit<32> before) {
    REGISTER(bit<10>, WATCH_TABLE_SIZE, skipped);
    REGISTER_ACTION(bit<10>, skipped, next, {
        value_before = value;
        if (value + 1 >= interval) {
            value = 0;
        } else {
            value = value + 1;
        }
    })

    action count_packet() {
        EXECUTE(before, next, slot[9:0]);
    }

    apply {
        count_packet();
    }
}  /* one_in */

#endif  /* TOFINO_ONE_IN_P4 */
