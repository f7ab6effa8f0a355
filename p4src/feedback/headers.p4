#ifndef FEEDBACK_HEADERS_P4
#define FEEDBACK_HEADERS_P4

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

#endif  /* FEEDBACK_HEADERS_P4 */
