#ifndef RELATIVE_FIGURES_P4
#define RELATIVE_FIGURES_P4

#include "hpcc_relative_headers.p4"
#include "common/metadata.p4"

/*
 * Queue length and bytes sent at the nominal capacity. HPCC++ only divides both by the capacity, so
 * that U is the same, and neither the link's capacity nor its load in bytes can be told from them.
 */
control relative_figures(inout metadata_t meta) {
    action scale() {
        bit<64> factor = (bit<64>)meta.relative.factor;
        bit<64> queue_bytes = ((bit<64>)meta.snapshot.queue_bytes * factor) >> 16;
        meta.snapshot.queue_bytes =
            queue_bytes > 0xFFFFFF ? 24w0xFFFFFF : queue_bytes[23:0];
        /* In two parts, whose products have 64 bits for longer than a switch runs. */
        bit<64> upper = (meta.snapshot.tx_bytes >> 16) * factor;
        bit<64> lower = ((meta.snapshot.tx_bytes & 0xFFFF) * factor) >> 16;
        meta.snapshot.tx_bytes = upper + lower;
    }

    apply {
        scale();
    }
}  /* relative_figures */

#endif  /* RELATIVE_FIGURES_P4 */
