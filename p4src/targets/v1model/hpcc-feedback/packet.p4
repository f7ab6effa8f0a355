#ifndef V1MODEL_HPCC_FEEDBACK_PACKET_P4
#define V1MODEL_HPCC_FEEDBACK_PACKET_P4

/* What the profile says of packets, but for its structs; its deparser names a stack as well. */
#define HPCC_FEEDBACK_STRUCTS
#define OPTION_HEADERS tcp_options_t tcp_options; int_stack_t int_stack;

#include "../../../profiles/hpcc-feedback/packet.p4"

typedef bit<32> mirror_session_t;
#include "../types.p4"

/* A response that came back to ingress has a tail that does not belong to it. */
struct copy_metadata_t {
    bool has_tail;
}

#include "../../../portable/hpcc-feedback/feedback_structs.p4"

#endif  /* V1MODEL_HPCC_FEEDBACK_PACKET_P4 */
