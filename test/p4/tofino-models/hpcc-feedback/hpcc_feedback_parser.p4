#ifndef MODEL_HPCC_FEEDBACK_PARSER_P4
#define MODEL_HPCC_FEEDBACK_PARSER_P4

#include "hpcc_feedback_headers.p4"
#include "tofino/blocks/hpcc-feedback/subscriber_parser.p4"

/* Parses as Tofino's ingress does. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    subscriber_parser() frame;

    state start {
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* MODEL_HPCC_FEEDBACK_PARSER_P4 */
