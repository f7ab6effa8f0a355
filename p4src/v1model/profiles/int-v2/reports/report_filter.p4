#ifndef REPORT_FILTER_P4
#define REPORT_FILTER_P4

#include "../int_v2_metadata.p4"

/*
 * Lets a report pass if it tells something new: a flow, or a state of it, that has not been
 * reported in this window of 2^shift units of `time`; shift 0 lets all pass. Flows that share a
 * cell are reported more often, never less.
 */
control report_filter(in bit<8> kind, in bit<32> flow, in bit<64> state, in bit<64> time,
                      in bit<8> shift, out bool passes) {
    register<bit<64>>(REPORT_FILTER_SIZE) last;

    apply {
        passes = true;
        if (shift != 0) {
            bit<32> cell;
            bit<32> mark;
            bit<64> known;
            bit<64> window = (time >> shift) + 1;
            hash(cell, HashAlgorithm.crc32, 32w0, { kind, flow }, (bit<32>)REPORT_FILTER_SIZE);
            hash(mark, HashAlgorithm.crc32, 32w0, { kind, flow, state }, 32w0xFFFFFFFF);
            bit<64> current = mark ++ window[31:0];
            last.read(known, cell);
            last.write(cell, current);
            passes = known != current;
        }
    }
}  /* report_filter */

#endif  /* REPORT_FILTER_P4 */
