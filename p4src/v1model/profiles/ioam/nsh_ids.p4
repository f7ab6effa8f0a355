/*
 * Ids of the Network Service Header in P4Info, of numbers that common/ids.p4 leaves free. They
 * stand apart from it, as those of direct export do.
 */
#ifndef NSH_IDS_P4
#define NSH_IDS_P4

#define SERVICE_PATHS_TABLE_ID 0x02000302
#define CLASSIFY_IPV4_TABLE_ID 0x02000303
#define CLASSIFY_IPV6_TABLE_ID 0x02000304

#define FORWARD_ON_PATH_ACTION_ID 0x01000304
#define NO_PATH_ACTION_ID 0x01000305
#define ENTER_PATH_ACTION_ID 0x01000306
#define STAY_OUTSIDE_ACTION_ID 0x01000307
#define END_PATH_ACTION_ID 0x01000308

#endif  /* NSH_IDS_P4 */
