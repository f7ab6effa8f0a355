/*
 * Ids of this profile in P4Info, from numbers that common/ids.p4 leaves free. They stand apart from
 * it, since programs for Tofino, which have none of this, are compiled from that file.
 */
#ifndef HPCC_USID_IDS_P4
#define HPCC_USID_IDS_P4

#define OWN_USIDS_TABLE_ID 0x02000420

#define END_NODE_ACTION_ID 0x01000420
#define END_ADJACENCY_ACTION_ID 0x01000421
#define NOT_OWN_ACTION_ID 0x01000422

#endif  /* HPCC_USID_IDS_P4 */
