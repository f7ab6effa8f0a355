#ifndef COORDINATION_STATE_P4
#define COORDINATION_STATE_P4

#include "config.p4"

/*
 * What several controls share. Ports: egress writes whether a port is congested (bit 31) and the
 * bytes that waited behind the latest packet (low 24 bits), ingress reads. Pins: by the hash of a
 * flow, "in use" (bit 31), "move" (bit 30), the digest of the flow (bits 24 to 9), its port; and
 * when the flow was seen last, in ns. Loads: number of a window of time (bits 63 to 56), bytes sent
 * to the port in the window before (bits 55 to 28) and in this one.
 */
register<bit<32>>(PORT_COUNT) port_states;
register<bit<64>>(PORT_COUNT) port_loads;
register<bit<32>>(PIN_CELLS) pin_states;
register<bit<64>>(PIN_CELLS) pin_times;

#endif  /* COORDINATION_STATE_P4 */
