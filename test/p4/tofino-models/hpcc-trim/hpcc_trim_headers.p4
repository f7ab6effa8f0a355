#ifndef MODEL_HPCC_TRIM_HEADERS_P4
#define MODEL_HPCC_TRIM_HEADERS_P4

/* Those of Tofino's hpcc-trim.p4. */
#include "../target/model_types.p4"
/* As wide as on Tofino 1. */
typedef bit<10> mirror_session_t;
/* Cuts at every length. */
#define WITHOUT_SESSION cut_when_full(0)
const bit<32> BRIDGE_BYTES = 14;
#include "tofino/blocks/hpcc-trim/trim_structs.p4"

#endif  /* MODEL_HPCC_TRIM_HEADERS_P4 */
