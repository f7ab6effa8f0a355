#ifndef EDGE_TYPES_P4
#define EDGE_TYPES_P4

/* Shim and INT-MD header: what a source adds, and a sink removes besides the stack. */
const bit<16> INT_FIXED_BYTES = 16;

/* Why an INT source left a packet alone: index into the counter `egress.source.refused`. */
const bit<32> REFUSED_MTU = 0;
const bit<32> REFUSED_NO_PORT_RECORD = 1;
const bit<32> REFUSED_BAD_LENGTH = 2;
const bit<32> REFUSED_CAUSES = 3;

/* Of a Telemetry Report: group header and first word; second and third word with the own hop. */
const bit<16> REPORT_BYTES = 12;
const bit<16> REPORT_HOP_BYTES = 36;

#endif  /* EDGE_TYPES_P4 */
