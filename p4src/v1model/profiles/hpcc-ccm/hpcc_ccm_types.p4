#ifndef HPCC_CCM_TYPES_P4
#define HPCC_CCM_TYPES_P4

#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"

/* Cells of the pins of flows to paths, a power of two, and the bits that number them. */
#ifndef PIN_CELLS
#define PIN_CELLS 8192
#endif
#ifndef PIN_BITS
#define PIN_BITS 13
#endif
/* Cells of each half of the filters that limit notifications, and the bits that number them. */
#ifndef LIMITER_CELLS
#define LIMITER_CELLS 4096
#endif
#ifndef LIMITER_BITS
#define LIMITER_BITS 12
#endif
/* Senders of notifications that a switch believes. */
#ifndef PEER_COUNT
#define PEER_COUNT 8192
#endif
#ifndef CANDIDATE_TABLE_SIZE
#define CANDIDATE_TABLE_SIZE 16384
#endif

/* Coordinated congestion management (docs/coordination.md); no code point is assigned. */
const bit<16> CCM_TPID = 0x88B5;
const bit<16> CCM_PORT = 50001;
const bit<4> CCM_VERSION = 1;
const bit<32> CCM_TAG_BYTES = 8;

/* A notification about a flow over IPv4, and over IPv6, which a flag tells. */
const bit<8> NOTIFICATION_WORDS = 16;
const bit<16> NOTIFICATION_UDP_BYTES = 72;
const bit<8> IPV6_NOTIFICATION_WORDS = 22;
const bit<16> IPV6_NOTIFICATION_UDP_BYTES = 96;
const bit<8> NOTIFICATION_FLAG_IPV6 = 0x80;
const bit<8> NOTIFICATION_TTL = 64;
const bit<4> CONTROL_REQUIRED = 1;
const bit<4> CONTROL_RELEASED = 2;
const bit<4> REROUTING_REQUIRED = 3;

/* The indicators in the DS flags of INT; the bit between them subscribes to fast feedback. */
const bit<16> DS_AR_VALID = 0x4000;
const bit<16> DS_AR_ID = 0x1FFF;
const bit<16> DS_OTHERS = 0xA000;

/* AR id of the source host of the packet. */
const bit<32> AR_SOURCE_HOST = 0x1FFE;

/* Values of `set_coordination(mode)`; the second is adaptive routing without coordination. */
const bit<2> MODE_ECMP = 0;
const bit<2> MODE_ADAPTIVE = 1;
const bit<2> MODE_COORDINATED = 2;

/* "No such candidate"; v1model drops what is sent there. */
const port_t NO_PORT = 511;

/* More values of standard_metadata.instance_type than v1model_quirks.p4 has. */
const bit<32> INSTANCE_INGRESS_CLONE = 1;
const bit<32> INSTANCE_RECIRCULATED = 4;

/* Outcomes of a packet that takes part: index into `ingress.coordination.outcomes`. */
const bit<32> PATH_KEPT = 0;
const bit<32> PATH_FIRST = 1;
const bit<32> PATH_MOVED = 2;
const bit<32> PATH_MOVED_AS_ASKED = 3;
const bit<32> PATH_HELD = 4;
const bit<32> PATH_FIXED = 5;
const bit<32> PATH_ASKED_UPSTREAM = 6;
const bit<32> PATH_ASKED_BEFORE = 7;
const bit<32> PATH_WANTING = 8;
const bit<32> PATH_SPRAYED = 9;
const bit<32> PATH_OUTCOMES = 10;

/* Outcomes of a notification: index into `ingress.notification.outcomes`. */
const bit<32> NOTICE_SENT = 0;
const bit<32> NOTICE_NO_ADDRESS = 1;
const bit<32> NOTICE_ACCEPTED = 2;
const bit<32> NOTICE_FORGED = 3;
const bit<32> NOTICE_REPLAYED = 4;
const bit<32> NOTICE_UNKNOWN_SENDER = 5;
const bit<32> NOTICE_NOT_FOR_US = 6;
const bit<32> NOTICE_NO_PIN = 7;
const bit<32> NOTICE_OUTCOMES = 8;

/* Outcomes of a flow at a port to a host: index into `egress.incast.outcomes`. */
const bit<32> INCAST_REQUIRED = 0;
const bit<32> INCAST_RELEASED = 2;
const bit<32> INCAST_RENEWED = 4;
/* Added where the interval has not passed. */
const bit<32> INCAST_SUPPRESSED = 1;
const bit<32> INCAST_OUTCOMES = 6;

/*
 * State that several controls share. Ports: egress writes whether a port is congested (bit 31) and
 * the queue length at the latest packet in bytes (low 24 bits), ingress reads. Pins: by the hash of
 * a flow, "in use" (bit 31), "move" (bit 30), "stays" (bit 29), the candidate whose turn is next if
 * the flow is sprayed (bits 27 to 25), the digest of the flow (bits 24 to 9), its port, which is
 * NO_PORT if it is sprayed; and when the flow was seen last, in ns. Loads: number of a window of
 * time (bits 63 to 56), bytes sent to the port in the window before (bits 55 to 28) and in this
 * one.
 */
register<bit<32>>(PORT_COUNT) port_states;
register<bit<64>>(PORT_COUNT) port_loads;
register<bit<32>>(PIN_CELLS) pin_states;
register<bit<64>>(PIN_CELLS) pin_times;

#endif  /* HPCC_CCM_TYPES_P4 */
