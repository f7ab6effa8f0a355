#ifndef TOFINO_PADDING_PARSERS_P4
#define TOFINO_PADDING_PARSERS_P4

#include "padding_headers.p4"
#include "tofino/target/sums.p4"

/* Egress of Tofino 1 reads no more than seven records. */
#define PARSE_EIGHT transition accept;

#include "tofino/blocks/padding/padding_parser.p4"

#define FRAME_PARSER padding_parser()
#include "tofino/target/ingress_parser.p4"
#include "tofino/target/egress_parser.p4"

#endif  /* TOFINO_PADDING_PARSERS_P4 */
