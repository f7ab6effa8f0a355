#ifndef PADDING_HEADERS_P4
#define PADDING_HEADERS_P4

#include "config.p4"
#include "../../headers.p4"

/*
 * HPCC's own telemetry (SIGCOMM 2019, section 4.1, figure 7), between the UDP header and the
 * transport, big-endian, oldest record first:
 *
 *   | nHop 4 | pathID 12 |  then nHop times  | B 4 | TS 24 | txBytes 20 | qLen 16 |
 */
header padding_t {
    bit<4>  hop_count;
    bit<12> path_id;
}

/* What earlier hops wrote; kept together because nobody here reads it. */
header padding_records_t {
    varbit<PADDING_MAX_RECORD_BITS> records;
}

/* TS is in ns, txBytes in 128 bytes, qLen in 80 bytes; TS and txBytes wrap. */
header padding_hop_t {
    bit<4>  speed;
    bit<24> timestamp_ns;
    bit<20> tx_units;
    bit<16> queue_units;
}

#endif  /* PADDING_HEADERS_P4 */
