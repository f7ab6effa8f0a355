#ifndef CARRIER_SECONDS_P4
#define CARRIER_SECONDS_P4

const bit<64> NANOSECONDS_PER_SECOND = 1000000000;

/*
 * Whole seconds of a time in ns. Switches multiply but do not divide: 10^9 is 2^9 * 1953125, and
 * 2^75 / 1953125 rounded up is the factor, exact for every 64-bit time.
 */
bit<64> whole_seconds(in bit<64> nanoseconds) {
    bit<128> scaled = (bit<128>)(nanoseconds >> 9) * 0x44B82FA09B5A53;
    return (bit<64>)(scaled >> 75);
}

#endif  /* CARRIER_SECONDS_P4 */
