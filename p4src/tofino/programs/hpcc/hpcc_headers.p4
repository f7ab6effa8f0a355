#ifndef TOFINO_HPCC_HEADERS_P4
#define TOFINO_HPCC_HEADERS_P4

/* The headers and metadata of hpcc.p4; other programs have theirs in folders of their names. */
#include "tofino/target/bridge.p4"
#include "tofino/target/target_types.p4"
#define FRONT_HEADERS bridge_t bridge;
#define OPTION_HEADERS
#include "tofino/blocks/transit_structs.p4"

#endif  /* TOFINO_HPCC_HEADERS_P4 */
