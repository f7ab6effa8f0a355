#ifndef HPCC_EDGE_PARSER_P4
#define HPCC_EDGE_PARSER_P4

#include "hpcc_edge_headers.p4"
#include "v1model/blocks/deep_parser.p4"

parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    deep_parser() deep;

    state start {
        deep.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* HPCC_EDGE_PARSER_P4 */
