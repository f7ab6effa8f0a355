#ifndef TNA_PADDING_PARSERS_P4
#define TNA_PADDING_PARSERS_P4

#include "packet.p4"
#include "../sums.p4"

/* Egress of Tofino 1 reads no more than seven records. */
#define PARSE_EIGHT transition accept;

#include "../../../portable/padding/padding_parser.p4"

#define FRAME_PARSER padding_parser()
#include "../ingress_parser.p4"
#include "../egress_parser.p4"

#endif  /* TNA_PADDING_PARSERS_P4 */
