#ifndef FEEDBACK_TYPES_P4
#define FEEDBACK_TYPES_P4

const bit<16> HPCC_TRANSPORT_PORT = 50002;
const bit<16> ROCE_PORT = 4791;

const bit<4> HPCC_VERSION = 1;
const bit<4> HPCC_SWITCH_RESPONSE = 6;
/* Flag of a switch response: it goes to the receiver of the flow. */
const bit<8> RESPONSE_TO_RECEIVER = 0x01;

/* Where the sequence number of a response comes from. */
const bit<8> SEQUENCE_NONE = 0;
const bit<8> SEQUENCE_HPCC = 1;
const bit<8> SEQUENCE_TCP = 2;
const bit<8> SEQUENCE_ROCE = 3;

/* Hop index of a response to a packet that does not say how many hops it has passed. */
const bit<8> HOP_INDEX_UNKNOWN = 255;

const bit<16> HPCC_TRANSPORT_BYTES = 16;
const bit<16> RESPONSE_BODY_BYTES = 40;
const bit<8> RESPONSE_TTL = 64;

/* What a subscription came to: index into the counter `egress.feedback.outcomes`. */
const bit<32> FEEDBACK_BELOW_THRESHOLD = 0;
const bit<32> FEEDBACK_SUPPRESSED = 1;
const bit<32> FEEDBACK_SENT = 2;
const bit<32> FEEDBACK_OUTCOMES = 3;

#endif  /* FEEDBACK_TYPES_P4 */
