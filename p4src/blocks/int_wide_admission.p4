#ifndef INT_WIDE_ADMISSION_P4
#define INT_WIDE_ADMISSION_P4

#include "../headers.p4"
#include "../metadata.p4"
#include "int_admission.p4"

/*
 * Admission for packets that ask for the wide block. It is counted as sent here, since
 * telemetry_snapshot.p4 knows of the other block only.
 */
control int_wide_admission(inout headers_t hdr,
                           inout metadata_t meta,
                           inout standard_metadata_t standard_metadata) {
    int_admission(INT_WIDE_INSTRUCTIONS, INT_WIDE_DS_INSTRUCTIONS, INT_WIDE_HOP_WORDS) admission;

    apply {
        admission.apply(hdr, meta, standard_metadata);
        if (meta.telemetry.push) {
            meta.telemetry.push = false;
            meta.queue.push_wide = true;
            standard_metadata.packet_length =
                standard_metadata.packet_length + (INT_WIDE_HOP_WORDS << 2);
        }
    }
}  /* int_wide_admission */

#endif  /* INT_WIDE_ADMISSION_P4 */
