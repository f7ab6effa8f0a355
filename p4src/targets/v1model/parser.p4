#ifndef V1MODEL_PARSER_P4
#define V1MODEL_PARSER_P4

#include "../../portable/frame_parser.p4"

/* What Tofino's ingress and egress read of a packet of INT; no older blocks. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    frame_parser(false) frame;

    state start {
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* V1MODEL_PARSER_P4 */
