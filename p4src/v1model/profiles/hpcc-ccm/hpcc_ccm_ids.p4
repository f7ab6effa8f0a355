/*
 * Ids in P4Info of what this profile has for IPv6, from numbers that common/ids.p4 leaves free.
 * They stand apart from it, since programs for Tofino, which have none of this, are compiled from
 * that file.
 */
#ifndef HPCC_CCM_IDS_P4
#define HPCC_CCM_IDS_P4

#define IPV6_AR_POINT_TABLE_ID 0x02000300
#define IPV6_SENDER_TABLE_ID 0x02000301
#define IPV6_CANDIDATES_TABLE_ID 0x02000302

#define SET_IPV6_POINT_ACTION_ID 0x01000300
#define SET_IPV6_SENDER_ACTION_ID 0x01000301

#endif  /* HPCC_CCM_IDS_P4 */
