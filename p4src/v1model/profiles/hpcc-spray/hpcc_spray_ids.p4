/*
 * Ids of this profile in P4Info, from numbers that common/ids.p4 leaves free. They stand apart from
 * it, since programs for Tofino, which have none of this, are compiled from that file.
 */
#ifndef HPCC_SPRAY_IDS_P4
#define HPCC_SPRAY_IDS_P4

#define SPRAY_POLICY_TABLE_ID 0x02000400
#define EQUAL_PATHS_TABLE_ID 0x02000401
#define IPV6_EQUAL_PATHS_TABLE_ID 0x02000402

#define SET_SPRAY_POLICY_ACTION_ID 0x01000400
#define SET_EQUAL_PATHS_ACTION_ID 0x01000401
#define ONE_PATH_ACTION_ID 0x01000402

#endif  /* HPCC_SPRAY_IDS_P4 */
