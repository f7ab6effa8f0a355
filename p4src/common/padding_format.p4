#ifndef PADDING_FORMAT_P4
#define PADDING_FORMAT_P4

/* DSCP that marks packets with the padding: the format has no mark of its own. */
#ifndef PADDING_DSCP
#define PADDING_DSCP 0x17
#endif

/* The hop count has four bits. */
#define PADDING_MAX_HOPS 15
#define PADDING_HOP_BYTES 8
#define PADDING_HOP_BITS 64
#define PADDING_MAX_RECORD_BITS 960
/* All ones from its highest bit on: hop counts with these bits set leave no room for a record. */
#ifndef PADDING_FULL
#define PADDING_FULL 15
#endif

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

/* Records of earlier hops; kept together because nothing here reads them. */
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

#endif  /* PADDING_FORMAT_P4 */
