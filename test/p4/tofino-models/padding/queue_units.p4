#ifndef MODEL_QUEUE_UNITS_P4
#define MODEL_QUEUE_UNITS_P4

#include "padding_headers.p4"
#include "v1model/blocks/carrier_units.p4"

/* The queue length in units of 80 bytes. */
control model_queue_units(inout metadata_t meta) {
    action measure() {
        meta.padding.queue_units = queue_cells(meta.snapshot.queue_bytes);
    }

    apply {
        measure();
    }
}  /* model_queue_units */

#endif  /* MODEL_QUEUE_UNITS_P4 */
