#ifndef MODEL_HPCC_EDGE_HEADERS_P4
#define MODEL_HPCC_EDGE_HEADERS_P4

/* The headers of the profile hpcc-edge, and the metadata of Tofino's hpcc-edge.p4. */
#include "../target/model_types.p4"

/* Mirror session that leads to a collector, by its name in Tofino blocks. */
typedef bit<32> session_t;

#include "v1model/profiles/hpcc-edge/hpcc_edge_headers.p4"
#include "tofino/blocks/hpcc-edge/edge_structs.p4"

#endif  /* MODEL_HPCC_EDGE_HEADERS_P4 */
