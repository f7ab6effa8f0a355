#ifndef V1MODEL_PACKET_P4
#define V1MODEL_PACKET_P4

/* Those of Tofino's hpcc.p4. */
#include "types.p4"
#include "../../portable/structs.p4"

#endif  /* V1MODEL_PACKET_P4 */
