#ifndef TOFINO_METADATA_P4
#define TOFINO_METADATA_P4

#include "common/types.p4"

/* No cause at all: index of no counter. */
const bit<8> NO_CAUSE = 0xFF;

/* Written by departure.p4 of the target: what it knows when a packet has left its queue. */
struct departure_metadata_t {
    port_t  ingress_port;
    port_t  egress_port;
    bit<8>  queue_id;
    bit<32> queue_bytes;
    bit<48> timestamp_ns;
    /* From Ethernet to the last byte before the frame check sequence. */
    bit<32> frame_bytes;
}

/* Written by the target's parser or ingress, and by ip_admission.p4. */
struct arrival_metadata_t {
    /* Checksum of an IPv4 header without options. */
    bit<1> bad_checksum;
    bit<8> drop_cause;
}

/*
 * Written by an admission. The headroom is zero if the telemetry is longer than the datagram or
 * segment, if that is longer than the packet, and if the packet with a hop is longer than the MTU.
 */
struct headroom_metadata_t {
    bit<16> l4;
    bit<16> ip;
    bit<16> mtu;
    bit<16> l4_header;
    bit<16> int_bytes;
    bit<8>  stack_words;
    bit<8>  cause;
}

#endif  /* TOFINO_METADATA_P4 */
