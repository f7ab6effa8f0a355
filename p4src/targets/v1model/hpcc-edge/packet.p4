#ifndef V1MODEL_EDGE_PACKET_P4
#define V1MODEL_EDGE_PACKET_P4

/* The headers of ../../../profiles/hpcc-edge, and the metadata of Tofino's hpcc-edge.p4. */
#include "../types.p4"

/* How portable blocks call what leads to a collector. */
typedef bit<32> session_t;

#include "../../../profiles/hpcc-edge/headers.p4"
#include "../../../portable/hpcc-edge/edge_structs.p4"

#endif  /* V1MODEL_EDGE_PACKET_P4 */
