#ifndef TOFINO_QUEUE_UNITS_P4
#define TOFINO_QUEUE_UNITS_P4

#include "padding_headers.p4"
#include "tofino/target/target.p4"

/*
 * The queue length in units of 80 bytes, which are cells of Tofino 1. One of Tofino 2 has 2.2 of
 * them: 563 / 256 by shifts, which is 0.04 % less.
 */
control queue_units(inout metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md) {
    /* In 256ths. */
    bit<32> length;
    bit<32> thirty_two;
    bit<32> sixteen;
    bit<32> two;
    bit<32> one;

    SHIFT_CELLS(take_cells, length, 8)
    SHIFT_CELLS(shift_by_nine, length, 9)
    SHIFT_CELLS(shift_by_five, thirty_two, 5)
    SHIFT_CELLS(shift_by_four, sixteen, 4)
    SHIFT_CELLS(shift_by_one, two, 1)

    action shift_by_none() {
        @in_hash { one = (bit<32>)eg_intr_md.deq_qdepth; }
    }

    action add_pairs() {
        length = length + thirty_two;
        sixteen = sixteen + two;
    }

    action add_sums() {
        length = length + sixteen;
    }

    action add_one() {
        length = length + one;
    }

    action take_units() {
        @in_hash { meta.padding.queue_units = length[23:8]; }
    }

    action saturate() {
        meta.padding.queue_units = 0xFFFF;
    }

    apply {
        if (CELL_SHIFT == 5) {
            take_cells();
        } else {
            shift_by_nine();
            shift_by_five();
            shift_by_four();
            shift_by_one();
            shift_by_none();
            add_pairs();
            add_sums();
            add_one();
        }
        if (length[31:24] == 0) {
            take_units();
        } else {
            saturate();
        }
    }
}  /* queue_units */

#endif  /* TOFINO_QUEUE_UNITS_P4 */
