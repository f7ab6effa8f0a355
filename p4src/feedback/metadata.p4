#ifndef FEEDBACK_METADATA_P4
#define FEEDBACK_METADATA_P4

/* Number of the field list that a clone for a response keeps. */
#define RESPONSE_FIELDS 1

/* Written by blocks/feedback_trigger.p4. */
struct feedback_metadata_t {
    bool    to_receiver;
    bit<6>  dscp;
    bit<8>  hop_index;
    bit<8>  protocol;
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<8>  queue_id;
}

#endif  /* FEEDBACK_METADATA_P4 */
