#ifndef TOFINO_SEQUENCE_NUMBER_P4
#define TOFINO_SEQUENCE_NUMBER_P4

#include "common/headers.p4"
#include "feedback_metadata.p4"

/* The sequence number that a packet tells its copy, of a transport that has one. */
control sequence_number(in headers_t hdr, inout metadata_t meta) {
    action number_hpcc() {
        meta.subject.sequence_kind = SEQUENCE_HPCC;
        meta.subject.flow_id = hdr.hpcc.flow_id;
        meta.subject.generation = hdr.hpcc.generation;
        meta.subject.sequence = hdr.hpcc.sequence;
    }

    action number_tcp() {
        meta.subject.sequence_kind = SEQUENCE_TCP;
        meta.subject.flow_id = 0;
        meta.subject.generation = 0;
        meta.subject.sequence = 32w0 ++ hdr.tcp.sequence;
    }

    action number_roce() {
        meta.subject.sequence_kind = SEQUENCE_ROCE;
        meta.subject.flow_id = 0;
        meta.subject.generation = 0;
        meta.subject.sequence = 40w0 ++ hdr.bth.psn;
    }

    action number_nothing() {
        meta.subject.sequence_kind = SEQUENCE_NONE;
        meta.subject.flow_id = 0;
        meta.subject.generation = 0;
        meta.subject.sequence = 0;
    }

    apply {
        if (hdr.hpcc.isValid()) {
            number_hpcc();
        } else if (hdr.tcp.isValid()) {
            number_tcp();
        } else if (hdr.bth.isValid()) {
            number_roce();
        } else {
            number_nothing();
        }
    }
}  /* sequence_number */

#endif  /* TOFINO_SEQUENCE_NUMBER_P4 */
