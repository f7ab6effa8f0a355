#ifndef HPCC_SPARSE_HEADERS_P4
#define HPCC_SPARSE_HEADERS_P4

#include "v1model/profiles/hpcc/hpcc_headers.p4"

/* Why a packet that asks gets telemetry or none: index into `egress.insertion.outcomes`. */
const bit<32> INSERTION_SPARED = 0;
const bit<32> INSERTION_DUE = 1;
const bit<32> INSERTION_CONGESTED = 2;
const bit<32> INSERTION_FOLLOWED = 3;
const bit<32> INSERTION_OUTCOMES = 4;

#endif  /* HPCC_SPARSE_HEADERS_P4 */
