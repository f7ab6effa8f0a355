#ifndef FEEDBACK_FORMAT_P4
#define FEEDBACK_FORMAT_P4

#include "headers.p4"
#include "metadata.p4"

/* Packets that fast feedback reads and writes (docs/wire-formats.md). */

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

/* Outcomes of a subscription: index into the counter `egress.feedback.outcomes`. */
const bit<32> FEEDBACK_BELOW_THRESHOLD = 0;
const bit<32> FEEDBACK_SUPPRESSED = 1;
const bit<32> FEEDBACK_SENT = 2;
const bit<32> FEEDBACK_OUTCOMES = 3;

/* The project's transport over UDP (docs/wire-formats.md). */
header hpcc_transport_t {
    bit<4>  version;
    bit<4>  type;
    bit<8>  flags;
    bit<16> flow_id;
    bit<16> length;
    bit<16> generation;
    bit<64> sequence;
}

/* RoCEv2 base transport header, of which only the packet sequence number is used. */
header bth_t {
    bit<8>  opcode;
    bit<24> flags_and_key;
    bit<8>  reserved;
    bit<24> dest_qp;
    bit<8>  ack_request;
    bit<24> psn;
}

/* Begin of the body of a switch response; the block of the domain "HP" follows. */
header switch_response_t {
    bit<8>  hop_index;
    bit<8>  sequence_kind;
    bit<8>  protocol;
    bit<8>  ttl;
    bit<16> src_port;
    bit<16> dst_port;
}

/* Number of the field list that a clone for a response keeps. */
#define RESPONSE_FIELDS 1

#endif  /* FEEDBACK_FORMAT_P4 */
