#ifndef CARRIER_QUEUE_CELLS_P4
#define CARRIER_QUEUE_CELLS_P4

/*
 * The queue length in units of 80 bytes, as the HPCC paper and IFA tell it, rounded down and
 * saturated at 16 bits. Switches multiply but do not divide: 2^26 / 5 rounded up is 0xCCCCCD, whose
 * error stays below one unit for every 24-bit length, and 80 is 5 * 16.
 */
bit<16> queue_cells(in bit<24> queue_bytes) {
    bit<48> scaled = (bit<48>)queue_bytes * 0xCCCCCD;
    bit<18> units = scaled[47:30];
    return units > 0xFFFF ? 16w0xFFFF : units[15:0];
}

#endif  /* CARRIER_QUEUE_CELLS_P4 */
