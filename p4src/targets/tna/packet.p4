#ifndef TNA_PACKET_P4
#define TNA_PACKET_P4

/* The headers and metadata of hpcc.p4; other programs have theirs in folders of their names. */
#include "bridge.p4"
#include "types.p4"
#define FRONT_HEADERS bridge_t bridge;
#define OPTION_HEADERS
#include "../../portable/structs.p4"

#endif  /* TNA_PACKET_P4 */
