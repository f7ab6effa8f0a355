#ifndef TOFINO_PADDING_RECORDS_P4
#define TOFINO_PADDING_RECORDS_P4

/* Records of earlier hops, which nobody reads: the hop count in binary tells which are there. */
header one_record_t {
    bit<64> record;
}

header two_records_t {
    bit<64> first;
    bit<64> second;
}

header four_records_t {
    bit<128> first;
    bit<128> second;
}

#endif  /* TOFINO_PADDING_RECORDS_P4 */
