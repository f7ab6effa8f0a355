#ifndef IOAM_HEADERS_P4
#define IOAM_HEADERS_P4

#include "config.p4"
#include "../../headers.p4"

const bit<8> IPV6_HOP_BY_HOP = 0;
const bit<8> PROTOCOL_IPV6 = 41;
const bit<8> IPV6_PAD1 = 0;
const bit<8> IPV6_PADN = 1;
/* Skipped by nodes that do not know it; changes on the way (RFC 9486). */
const bit<8> IPV6_IOAM_MUTABLE = 0x31;
const bit<8> IOAM_PREALLOCATED_TRACE = 0;
/* Reserved byte, IOAM type and trace header: the least that the option's length covers. */
const bit<8> IOAM_TRACE_FIXED_BYTES = 10;

/*
 * IPv6 | hop-by-hop header | other options | IOAM option | trace header | spare | slot | newer
 * records ... The trace is allocated in advance: nodes fill it from its end, each the words before
 * those that are used, and `remaining` counts the words left (RFC 9197 section 4.4, RFC 9486).
 */
header hop_by_hop_t {
    bit<8> next_header;
    /* Units of 8 bytes behind the first one. */
    bit<8> length;
}

header ipv6_option_t {
    varbit<IOAM_OPTION_BITS> bytes;
}

header ioam_option_t {
    bit<8> type;
    bit<8> length;
    bit<8> reserved;
    bit<8> ioam_type;
}

/* RFC 9197 section 4.4.1; lengths in words of 4 bytes, `node_words` without the opaque snapshot. */
header ioam_trace_t {
    bit<16> namespace_id;
    bit<5>  node_words;
    bit<1>  overflow;
    bit<1>  loopback;
    bit<1>  active;
    bit<1>  reserved;
    bit<7>  remaining;
    bit<24> trace_type;
    bit<8>  reserved2;
}

header ioam_spare_t {
    varbit<IOAM_SPARE_BITS> words;
}

/* The words that this node may fill, as they came. */
header ioam_slot_t {
    varbit<IOAM_SLOT_BITS> words;
}

/* What follows the slot in the hop-by-hop header. */
header ioam_rest_t {
    varbit<IOAM_REST_BITS> bytes;
}

/* PadN that brings the IOAM option to a multiple of 4 bytes. */
header ipv6_pad2_t {
    bit<8> type;
    bit<8> length;
}

/* Words that this node allocates for those behind it. */
header ioam_fresh_t {
    bit<IOAM_SOURCE_SPARE_BITS> words;
}

/* Node data of section 4.4.2, in the order of the bits that ask for it. */
header ioam_node_t {
    bit<8>  hop_limit;
    bit<24> node_id;
}

header ioam_interfaces_t {
    bit<16> ingress_port;
    bit<16> egress_port;
}

header ioam_word_t {
    bit<32> value;
}

header ioam_wide_node_t {
    bit<8>  hop_limit;
    bit<56> node_id;
}

header ioam_wide_interfaces_t {
    bit<32> ingress_port;
    bit<32> egress_port;
}

header ioam_wide_word_t {
    bit<64> value;
}

header ioam_opaque_t {
    bit<8>  length;
    bit<24> schema_id;
}

#endif  /* IOAM_HEADERS_P4 */
