#ifndef TOFINO_PADDING_HEADERS_P4
#define TOFINO_PADDING_HEADERS_P4

#include "tofino/target/bridge.p4"
#include "tofino/target/target_types.p4"
#define FRONT_HEADERS bridge_t bridge;
#define OPTION_HEADERS
#include "tofino/blocks/padding/padding_structs.p4"

#endif  /* TOFINO_PADDING_HEADERS_P4 */
