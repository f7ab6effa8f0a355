#ifndef MODEL_HPCC_FEEDBACK_HEADERS_P4
#define MODEL_HPCC_FEEDBACK_HEADERS_P4

/* The deparser of the profile names a stack as well. */
#define OPTION_HEADERS tcp_options_t tcp_options; int_stack_t int_stack;

#include "common/feedback_format.p4"

typedef bit<32> mirror_session_t;
#include "../target/model_types.p4"

/* A response that came back to ingress has a tail that does not belong to it. */
struct copy_metadata_t {
    bool has_tail;
}

#include "tofino/blocks/hpcc-feedback/feedback_structs.p4"

#endif  /* MODEL_HPCC_FEEDBACK_HEADERS_P4 */
