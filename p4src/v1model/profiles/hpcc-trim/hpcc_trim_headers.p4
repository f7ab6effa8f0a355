#ifndef HPCC_TRIM_HEADERS_P4
#define HPCC_TRIM_HEADERS_P4

/* The same: a trimmed packet has the headers that it had. */
#include "v1model/profiles/hpcc-queues/hpcc_queues_headers.p4"

#endif  /* HPCC_TRIM_HEADERS_P4 */
