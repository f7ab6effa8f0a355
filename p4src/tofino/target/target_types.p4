#ifndef TOFINO_TARGET_TYPES_P4
#define TOFINO_TARGET_TYPES_P4

#include "common/types.p4"

/*
 * The length that egress sees is that of the frame as it came in, with its frame check sequence;
 * what ingress adds or takes out is not in it.
 */
const bit<32> FRAME_CHECK_BYTES = 4;

/* The name under which blocks know the port, and what only Tofino's way of computing needs. */
struct standard_metadata_t {
    port_t egress_port;
}

/* Fields that a program needs besides. */
#ifndef PROGRAM_FIELDS
#define PROGRAM_FIELDS /* none */
#endif

struct target_metadata_t {
    standard_metadata_t standard;
    /* Ones' complement sum of all behind IP that stays as it came. */
    bit<16> l4_rest;
    bit<16> pushed_bytes;
    bit<1>  renews_udp;
    bit<1>  renews_tcp;
    bit<1>  renews_udp_with_hop;
    bit<1>  renews_tcp_with_hop;
    bit<1>  renews_ipv4;
    PROGRAM_FIELDS
}

#endif  /* TOFINO_TARGET_TYPES_P4 */
