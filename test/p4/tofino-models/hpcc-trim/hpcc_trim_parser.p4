#ifndef MODEL_HPCC_TRIM_PARSER_P4
#define MODEL_HPCC_TRIM_PARSER_P4

#include "hpcc_trim_headers.p4"
#include "tofino/blocks/frame_parser.p4"

/* Parses packets of INT as Tofino's ingress and egress do; no older blocks. */
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

#endif  /* MODEL_HPCC_TRIM_PARSER_P4 */
