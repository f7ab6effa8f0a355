#ifndef V1MODEL_EDGE_TARGET_P4
#define V1MODEL_EDGE_TARGET_P4

#include "../../../config.p4"
#include "../../../portable/hpcc-edge/edge_metadata.p4"

/* What portable blocks of an edge switch ask of a target; ../../tna/hpcc-edge has the same. */
#define PORT_COUNTER(name) counter(PORT_COUNT, CounterType.packets_and_bytes) name
#define COUNT_PORT(name, port) name.count((bit<32>)port)

typedef bit<32> session_t;

/* How many packets of `interval` the counter `slot` has seen before this one. */
control one_in(in bit<32> slot, in bit<32> interval, out bit<32> before) {
    register<bit<32>>(WATCH_TABLE_SIZE) skipped;

    action count_packet() {
        skipped.read(before, slot);
        skipped.write(slot, before + 1 >= interval ? 0 : before + 1);
    }

    apply {
        count_packet();
    }
}  /* one_in */

/* Reports that went to a port before. */
control report_sequence(in port_t port, out bit<32> before) {
    register<bit<32>>(PORT_COUNT) sequences;

    action count_report() {
        sequences.read(before, (bit<32>)port);
        sequences.write((bit<32>)port, before + 1);
    }

    apply {
        count_report();
    }
}  /* report_sequence */

#endif  /* V1MODEL_EDGE_TARGET_P4 */
