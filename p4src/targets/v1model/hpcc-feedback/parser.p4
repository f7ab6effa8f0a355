#ifndef V1MODEL_HPCC_FEEDBACK_PARSER_P4
#define V1MODEL_HPCC_FEEDBACK_PARSER_P4

#include "packet.p4"
#include "../../../portable/hpcc-feedback/subscriber_parser.p4"

/* What Tofino's ingress reads of a packet. */
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

#endif  /* V1MODEL_HPCC_FEEDBACK_PARSER_P4 */
