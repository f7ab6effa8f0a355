#ifndef TNA_PADDING_PACKET_P4
#define TNA_PADDING_PACKET_P4

#include "../bridge.p4"
#include "../types.p4"
#define FRONT_HEADERS bridge_t bridge;
#define OPTION_HEADERS
#include "../../../portable/padding/padding_structs.p4"

#endif  /* TNA_PADDING_PACKET_P4 */
