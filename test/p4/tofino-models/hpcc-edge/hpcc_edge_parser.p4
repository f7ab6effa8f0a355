#ifndef MODEL_HPCC_EDGE_PARSER_P4
#define MODEL_HPCC_EDGE_PARSER_P4

/* A stack of any length; one that is shorter than its own header is for the admission to refuse. */
#define STACK_STATES \
    state parse_stack { \
        transition select(hdr.int_shim.length) { \
            0 .. 2: accept; \
            default: parse_words; \
        } \
    } \
    state parse_words { \
        packet.extract(hdr.int_stack, ((bit<32>)hdr.int_shim.length - 3) * 32); \
        transition complete; \
    }

#include "tofino/blocks/frame_parser.p4"

/* Parses as Tofino's ingress does, with the stack. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    frame_parser(true) frame;

    state start {
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* MODEL_HPCC_EDGE_PARSER_P4 */
