#ifndef TOFINO_PADDING_METADATA_P4
#define TOFINO_PADDING_METADATA_P4

/* Written by queue_units.p4 of the target: the queue length in units of 80 bytes, saturated. */
struct padding_metadata_t {
    bit<16> queue_units;
}

#endif  /* TOFINO_PADDING_METADATA_P4 */
