#ifndef TOFINO_TRIM_METADATA_P4
#define TOFINO_TRIM_METADATA_P4

#include "common/types.p4"

/* Kinds of bridges: before a packet that may be cut, and before one that was. */
const bit<7> BRIDGE_OF_TRIMMABLE = 1;
const bit<7> BRIDGE_OF_HEADER = 2;

/*
 * Metadata from ingress to egress, and before a mirrored copy: what is left of a packet that may be
 * cut once it is; zero before others. It ends in the middle of a word, as the headers of a packet
 * do: Tofino 2 cuts copies at whole words.
 */
header bridge_t {
    bit<7>  kind;
    port_t  ingress_port;
    /* Id in the mirror. */
    bit<16> session;
    /* Length of the frame. */
    bit<16> frame_bytes;
    /* Length from which on the queue of the port is full. */
    bit<32> queue_bytes;
    bit<16> dscp;
    @padding bit<16> reserved;
}

/* Written by trim_limits.p4 and tofino_packet_trim.p4. */
struct trim_metadata_t {
    bit<6>  dscp;
    /* Its DSCP lets the packet be cut. */
    bool    is_trimmable;
    /* Was cut by another switch. */
    bool    is_header;
    /* From the entries of the DSCP and of the port. */
    bit<3>  queue;
    bit<16> trimmed_dscp;
    bit<32> queue_bytes;
    /* Length of the frame once it is cut, and of its headers alone. */
    bit<16> frame_bytes;
    bit<16> header_bytes;
    /* Length of the frame as it is, less the telemetry that a cut one with INT gets. */
    bit<16> whole_bytes;
    /* Zero if the frame would not get shorter. */
    bit<16> excess;
}

#endif  /* TOFINO_TRIM_METADATA_P4 */
