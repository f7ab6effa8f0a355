#ifndef CARRIER_UNITS_P4
#define CARRIER_UNITS_P4

/*
 * More indexes into `egress.admission.unserved` than types.p4 has for INT; not every carrier has
 * every cause.
 */
const bit<32> UNSERVED_NOT_ENABLED = 8;
const bit<32> UNSERVED_UNKNOWN_NAMESPACE = 9;
const bit<32> UNSERVED_UNKNOWN_SIGNAL = 10;
const bit<32> UNSERVED_NO_BUCKET = 11;
const bit<32> CARRIER_UNSERVED_CAUSES = 12;

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

const bit<64> NANOSECONDS_PER_SECOND = 1000000000;

/*
 * Whole seconds of a time in ns. Switches multiply but do not divide: 10^9 is 2^9 * 1953125, and
 * 2^75 / 1953125 rounded up is the factor, exact for every 64-bit time.
 */
bit<64> whole_seconds(in bit<64> nanoseconds) {
    bit<128> scaled = (bit<128>)(nanoseconds >> 9) * 0x44B82FA09B5A53;
    return (bit<64>)(scaled >> 75);
}

#endif  /* CARRIER_UNITS_P4 */
