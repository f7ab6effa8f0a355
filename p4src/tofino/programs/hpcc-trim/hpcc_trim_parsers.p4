#ifndef TOFINO_HPCC_TRIM_PARSERS_P4
#define TOFINO_HPCC_TRIM_PARSERS_P4

#include "hpcc_trim_headers.p4"
#include "tofino/target/sums.p4"
#include "tofino/blocks/frame_parser.p4"

/* To the INT-MD header: what follows stays payload. */
#define FRAME_PARSER frame_parser(false)
#include "tofino/target/ingress_parser.p4"
#include "tofino/target/egress_parser.p4"

#endif  /* TOFINO_HPCC_TRIM_PARSERS_P4 */
