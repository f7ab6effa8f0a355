#ifndef TOFINO_TIME_ROW_P4
#define TOFINO_TIME_ROW_P4

#include "common/config.p4"

/*
 * A row of times, of which one is read, or read and marked. Ages are taken modulo 2^32 ns, so that
 * after 4.3 s a cell looks recent again for one interval; a target may know times that never were
 * (`AGE`).
 */
control time_row(in bit<16> cell, in bit<32> now, in bool marks, out bit<32> age) {
    REGISTER(bit<16>, BLOOM_CELLS, times);
    REGISTER_ACTION(bit<16>, times, looking, { value_before = AGE(now, value); })
    REGISTER_ACTION(bit<16>, times, marking, { value_before = AGE(now, value); value = now; })

    action look() {
        EXECUTE(age, looking, cell);
    }

    action mark() {
        EXECUTE(age, marking, cell);
    }

    apply {
        if (marks) {
            mark();
        } else {
            look();
        }
    }
}  /* time_row */

#endif  /* TOFINO_TIME_ROW_P4 */
