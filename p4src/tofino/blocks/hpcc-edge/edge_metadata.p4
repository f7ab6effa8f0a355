#ifndef TOFINO_EDGE_METADATA_P4
#define TOFINO_EDGE_METADATA_P4

#include "common/edge_types.p4"

/* Written by int_watch.p4: of `interval` packets, telemetry is for the first, which skips none. */
struct sampling_metadata_t {
    bit<32> interval;
    bit<32> slot;
    bit<32> skipped;
}

/*
 * Written by int_source.p4: what UDP or TCP has more than IP carries, zero if they agree, and the
 * room that the MTU leaves; and what follows of it.
 */
struct excess_metadata_t {
    bit<16> l4;
    bit<16> ip_bytes;
    bit<16> mtu_room;
    bit<8>  cause;
    bool    adds;
    /* It would add, and the sink of this switch would take that out again. */
    bool    tracks;
}

/* Written by int_trust.p4, int_sink.p4 and int_strip.p4. */
struct strip_metadata_t {
    /* Telemetry is taken out, and the DSCP that the source found comes back. */
    bool    wanted;
    bool    restores;
    bool    reports;
    /* Lengths agree, and the target can do it. */
    bool    fits;
    /* Counts of packets that came through an untrusted port. */
    bit<6>  dscp;
    bit<16> bytes;
    bit<32> frame_bytes;
}

/* Written by int_report.p4. */
struct report_metadata_t {
    bool    collected;
    bit<32> sequence;
    /* Bytes of the reported packet: present, wanted, too many, and of all that is behind the group
     * header and the first word. */
    bit<16> inner_bytes;
    bit<16> inner_limit;
    bit<16> excess;
    bit<16> hop_bytes;
    bit<16> rest_bytes;
}

#endif  /* TOFINO_EDGE_METADATA_P4 */
