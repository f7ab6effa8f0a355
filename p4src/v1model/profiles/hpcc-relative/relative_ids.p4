/*
 * Ids of this profile in P4Info, from numbers that common/ids.p4 leaves free. They stand apart from
 * it, since programs for Tofino, which have none of this, are compiled from that file.
 */
#ifndef RELATIVE_IDS_P4
#define RELATIVE_IDS_P4

#define SHOWN_PORTS_TABLE_ID 0x02000100
#define SHOW_AS_ACTION_ID 0x01000100
#define SHOW_NOTHING_ACTION_ID 0x01000101

#endif  /* RELATIVE_IDS_P4 */
