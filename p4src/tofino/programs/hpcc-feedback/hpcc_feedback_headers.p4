#ifndef TOFINO_HPCC_FEEDBACK_HEADERS_P4
#define TOFINO_HPCC_FEEDBACK_HEADERS_P4

#include "common/headers.p4"
#include "common/feedback_format.p4"
#include "tofino/target/bridge.p4"
#include "tofino/target/target_types.p4"

typedef MirrorId_t mirror_session_t;

const MirrorType_t MIRROR_COPY = 1;
/* Kinds of bridges, which begin longer headers. */
const bit<7> BRIDGE_OF_SUBSCRIBER = 1;
const bit<7> BRIDGE_OF_COPY = 2;

/* Further metadata of a subscriber from ingress to egress: Tofino 1 reads 160 bytes at egress. */
header subject_t {
    bit<8>  sequence_kind;
    bit<16> flow_id;
    bit<16> generation;
    bit<64> sequence;
}

/* Metadata of a subscriber for its copy: the 32 bytes that a mirror may put before one. */
header copy_t {
    bit<7>  kind;
    port_t  ingress_port;
    bit<7>  queue_id;
    port_t  egress_port;
    bit<32> queue_bytes;
    bit<48> timestamp_ns;
    bit<32> tx_bytes;
    bit<8>  hop_index;
    bit<8>  sequence_kind;
    bit<16> flow_id;
    bit<16> generation;
    bit<64> sequence;
}

/* Values that a deparser takes from metadata only: queue and port, and UDP as a pseudo-header. */
struct copy_metadata_t {
    bit<16> place;
    bit<16> protocol;
}

#define FRONT_HEADERS bridge_t bridge; subject_t subject; copy_t copy;
#define OPTION_HEADERS
#include "tofino/blocks/hpcc-feedback/feedback_structs.p4"

#endif  /* TOFINO_HPCC_FEEDBACK_HEADERS_P4 */
