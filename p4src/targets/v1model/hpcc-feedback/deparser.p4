#ifndef V1MODEL_HPCC_FEEDBACK_DEPARSER_P4
#define V1MODEL_HPCC_FEEDBACK_DEPARSER_P4

#include "packet.p4"
#include "../../../profiles/hpcc-feedback/deparser.p4"

/* All headers, in the order of the struct. */
control frame_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr);
    }
}

#endif  /* V1MODEL_HPCC_FEEDBACK_DEPARSER_P4 */
