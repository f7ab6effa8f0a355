#ifndef HPCC_FEEDBACK_PARSER_P4
#define HPCC_FEEDBACK_PARSER_P4

#include "common/feedback_format.p4"
#include "v1model/blocks/deep_parser.p4"

/* To the header that has the sequence number, behind INT if there is any. */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    deep_parser() deep;

    state start {
        deep.apply(packet, hdr, meta);
        transition select(meta.deep.is_complete, meta.l4.protocol, meta.l4.dst_port) {
            (true, PROTOCOL_UDP, HPCC_TRANSPORT_PORT): parse_hpcc;
            (true, PROTOCOL_UDP, ROCE_PORT): parse_bth;
            default: accept;
        }
    }

    state parse_hpcc {
        packet.extract(hdr.hpcc);
        transition accept;
    }

    state parse_bth {
        packet.extract(hdr.bth);
        transition accept;
    }
}

#endif  /* HPCC_FEEDBACK_PARSER_P4 */
