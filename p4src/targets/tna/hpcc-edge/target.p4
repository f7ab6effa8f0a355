#ifndef TNA_EDGE_TARGET_P4
#define TNA_EDGE_TARGET_P4

#include "../../../config.p4"
#include "../../../portable/hpcc-edge/edge_metadata.p4"

/* What portable blocks of an edge switch ask of a target; ../../v1model/hpcc-edge has the same. */
#define PORT_COUNTER(name) \
    Counter<bit<64>, port_t>(PORT_COUNT, CounterType_t.PACKETS_AND_BYTES) name
#define COUNT_PORT(name, port) name.count(port)

typedef MirrorId_t session_t;

/* How many packets of `interval` the counter `slot` has seen before this one. */
control one_in(in bit<32> slot, in bit<32> interval, out bit<32> before) {
    Register<bit<32>, bit<10>>(WATCH_TABLE_SIZE, 0) skipped;
    RegisterAction<bit<32>, bit<10>, bit<32>>(skipped) next = {
        void apply(inout bit<32> count, out bit<32> count_before) {
            count_before = count;
            if (count + 1 >= interval) {
                count = 0;
            } else {
                count = count + 1;
            }
        }
    };

    action count_packet() {
        before = next.execute(slot[9:0]);
    }

    apply {
        count_packet();
    }
}  /* one_in */

/* Reports that went to a port before. */
control report_sequence(in port_t port, out bit<32> before) {
    Register<bit<32>, port_t>(PORT_COUNT, 0) sequences;

    RegisterAction<bit<32>, port_t, bit<32>>(sequences) next = {
        void apply(inout bit<32> sequence, out bit<32> sequence_before) {
            sequence_before = sequence;
            sequence = sequence + 1;
        }
    };

    action count_report() {
        before = next.execute(port);
    }

    apply {
        count_report();
    }
}  /* report_sequence */

#endif  /* TNA_EDGE_TARGET_P4 */
