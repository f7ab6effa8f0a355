#ifndef TOFINO_FEEDBACK_METADATA_P4
#define TOFINO_FEEDBACK_METADATA_P4

#include "common/types.p4"

/*
 * State of fast feedback. A packet that requests a response makes a copy of itself, which becomes
 * the response.
 */
struct feedback_metadata_t {
    /* Written by the target: this is the copy. */
    bool    is_copy;
    bool    is_subscribed;
    /* Outcome: copy the packet, or send the copy as a response. */
    bool    asks;
    bool    answers;
    bit<8>  outcome;

    /* From the entry of the port. */
    bit<32> threshold;
    bit<32> interval_ns;
    mirror_session_t session;
    bit<8>  flags;
    bit<6>  dscp;
}

/* Properties of a packet for its copy; the target carries them there. */
struct subject_metadata_t {
    port_t  ingress_port;
    port_t  egress_port;
    bit<8>  queue_id;
    bit<32> queue_bytes;
    bit<48> timestamp_ns;
    bit<32> tx_bytes;
    bit<8>  hop_index;
    bit<8>  sequence_kind;
    bit<16> flow_id;
    bit<16> generation;
    bit<64> sequence;
}

/* Written by response_limiter.p4: where a sender is in the filter, and how long it has to wait. */
struct limit_metadata_t {
    bit<16> first_cell;
    bit<16> second_cell;
    bit<32> first_wait;
    bit<32> second_wait;
    /* Zero if the queue is as long as the threshold. */
    bit<32> queue_room;
}

#endif  /* TOFINO_FEEDBACK_METADATA_P4 */
