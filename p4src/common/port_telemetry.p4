#ifndef PORT_TELEMETRY_P4
#define PORT_TELEMETRY_P4

#include "ids.p4"
#include "config.p4"
#include "metadata.p4"

/*
 * Properties of the egress port that only the controller knows: node id, capacity of the link, and
 * the units in which this target counts queues and time. So the same program gives bytes and
 * nanoseconds on bmv2 (packets, microseconds) and elsewhere. `tx_unit_bytes`, a power of two,
 * truncates the byte counter, for hardware that counts in larger units.
 */
control port_telemetry(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    WITH_ID(SET_PORT_RECORD_ACTION_ID)
    action set_port_record(bit<32> node_id,
                           bit<32> capacity_mbps,
                           bit<16> queue_unit_bytes,
                           bit<16> clock_unit_ns,
                           bit<16> mtu,
                           bit<16> tx_unit_bytes) {
        meta.port.known = true;
        meta.port.node_id = node_id;
        meta.port.capacity_mbps = capacity_mbps;
        meta.port.queue_unit_bytes = queue_unit_bytes;
        meta.port.clock_unit_ns = clock_unit_ns;
        meta.port.mtu = mtu;
        meta.port.tx_unit_bytes = tx_unit_bytes;
    }

    WITH_ID(NO_PORT_RECORD_ACTION_ID)
    action no_port_record() {
        meta.port.known = false;
    }

    WITH_ID(PORT_RECORD_TABLE_ID)
    table port_record {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_port_record; no_port_record; }
        const default_action = no_port_record;
        size = PORT_COUNT;
    }

    apply {
        port_record.apply();
    }
}  /* port_telemetry */

#endif  /* PORT_TELEMETRY_P4 */
