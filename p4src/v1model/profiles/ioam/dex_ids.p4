/*
 * Ids of direct export in P4Info, of numbers that common/ids.p4 leaves free. They stand apart from
 * it, since programs for Tofino, which have none of this, are compiled from that file.
 */
#ifndef DEX_IDS_P4
#define DEX_IDS_P4

#define DIRECT_EXPORTS_TABLE_ID 0x02000300
#define EXPORT_COLLECTOR_TABLE_ID 0x02000301

#define EXPORT_DIRECTLY_ACTION_ID 0x01000300
#define EXPORT_NOTHING_ACTION_ID 0x01000301
#define EXPORT_TO_ACTION_ID 0x01000302
#define EXPORT_NOWHERE_ACTION_ID 0x01000303

#endif  /* DEX_IDS_P4 */
