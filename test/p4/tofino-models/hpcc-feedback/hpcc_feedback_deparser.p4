#ifndef MODEL_HPCC_FEEDBACK_DEPARSER_P4
#define MODEL_HPCC_FEEDBACK_DEPARSER_P4

#include "hpcc_feedback_headers.p4"
#include "v1model/profiles/hpcc-feedback/hpcc_feedback_deparser.p4"

/* All headers, in the order of the struct. */
control frame_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#endif  /* MODEL_HPCC_FEEDBACK_DEPARSER_P4 */
