#ifndef TOFINO_REPORT_SEQUENCE_P4
#define TOFINO_REPORT_SEQUENCE_P4

#include "common/config.p4"
#include "common/types.p4"

/* Reports that went to a port before. */
control report_sequence(in port_t port, out bit<32> before) {
    REGISTER(port_t, PORT_COUNT, sequences);
    REGISTER_ACTION(port_t, sequences, next, { value_before = value; value = value + 1; })

    action count_report() {
        EXECUTE(before, next, port);
    }

    apply {
        count_report();
    }
}  /* report_sequence */

#endif  /* TOFINO_REPORT_SEQUENCE_P4 */
