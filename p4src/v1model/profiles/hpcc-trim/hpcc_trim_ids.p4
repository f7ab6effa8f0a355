/*
 * Ids of this profile in P4Info, from numbers that common/ids.p4 leaves free. They stand apart from
 * it, since programs for Tofino, which have none of this, are compiled from that file.
 */
#ifndef HPCC_TRIM_IDS_P4
#define HPCC_TRIM_IDS_P4

#define TRIM_OF_DSCP_TABLE_ID 0x02000410
#define QUEUE_MAX_OF_PORT_TABLE_ID 0x02000411

#define TRIM_ABOVE_ACTION_ID 0x01000410
#define SERVE_FIRST_ACTION_ID 0x01000411
#define LEAVE_WHOLE_ACTION_ID 0x01000412
#define SET_QUEUE_MAX_ACTION_ID 0x01000413
#define KEEP_QUEUE_MAX_ACTION_ID 0x01000414

#endif  /* HPCC_TRIM_IDS_P4 */
