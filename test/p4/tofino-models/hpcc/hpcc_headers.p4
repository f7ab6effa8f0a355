#ifndef MODEL_HPCC_HEADERS_P4
#define MODEL_HPCC_HEADERS_P4

/* Those of Tofino's hpcc.p4. */
#include "../target/model_types.p4"
#include "tofino/blocks/transit_structs.p4"

#endif  /* MODEL_HPCC_HEADERS_P4 */
