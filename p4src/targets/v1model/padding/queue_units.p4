#ifndef V1MODEL_QUEUE_UNITS_P4
#define V1MODEL_QUEUE_UNITS_P4

#include "packet.p4"
#include "../../../blocks/carrier_units.p4"

/* The queue length in units of 80 bytes. */
control queue_units(inout metadata_t meta) {
    action measure() {
        meta.padding.queue_units = queue_cells(meta.snapshot.queue_bytes);
    }

    apply {
        measure();
    }
}  /* queue_units */

#endif  /* V1MODEL_QUEUE_UNITS_P4 */
