#ifndef TNA_PARSERS_P4
#define TNA_PARSERS_P4

#include "packet.p4"
#include "sums.p4"
#include "../../portable/frame_parser.p4"

/* To the INT-MD header: what follows stays payload. */
#define FRAME_PARSER frame_parser(false)
#include "ingress_parser.p4"
#include "egress_parser.p4"

#endif  /* TNA_PARSERS_P4 */
