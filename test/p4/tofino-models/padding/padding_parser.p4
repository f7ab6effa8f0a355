#ifndef MODEL_PADDING_PARSER_P4
#define MODEL_PADDING_PARSER_P4

#include "padding_headers.p4"

#define PARSE_EIGHT \
    packet.extract(hdr.eight_older); \
    transition select(hdr.padding.hop_count) { \
        0 &&& 7: accept; \
        1 &&& 7: parse_one; \
        2 &&& 6: parse_two; \
        default: parse_four; \
    }

#include "tofino/blocks/padding/padding_parser.p4"

/* Parses as Tofino's ingress and egress do, with up to 15 records. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    padding_parser() frame;

    state start {
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

/* All headers, in the order of the struct. */
control frame_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#endif  /* MODEL_PADDING_PARSER_P4 */
