#ifndef NODE_STATE_P4
#define NODE_STATE_P4

#include "common/config.p4"
#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"

/*
 * Collects what this node can tell of the packet, at one instant: when it leaves its queue. All
 * ones stand for what the node does not know.
 */
control node_state(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    @id(SET_EGRESS_INTERFACE_ACTION_ID)
    action set_egress_interface(bit<32> interface2) {
        meta.node.egress_interface2 = interface2;
    }

    @id(EGRESS_INTERFACE_TABLE_ID)
    table egress_interface {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_egress_interface; }
        const default_action = set_egress_interface(0xFFFFFFFF);
        size = PORT_COUNT;
    }

    /* The port's queue has a buffer for itself: what waits there is what fills it. */
    @id(SET_BUFFER_ACTION_ID)
    action set_buffer(bit<8> buffer_id) {
        meta.node.buffer = buffer_id ++ meta.node.queue_bytes24;
    }

    @id(NO_BUFFER_ACTION_ID)
    action no_buffer() {
        meta.node.buffer = 0xFFFFFFFF;
    }

    @id(PORT_BUFFER_TABLE_ID)
    table port_buffer {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_buffer; no_buffer; }
        const default_action = no_buffer;
        size = PORT_COUNT;
    }

    action take() {
        meta.node.ingress_port = (bit<16>)standard_metadata.ingress_port;
        meta.node.egress_port = (bit<16>)standard_metadata.egress_port;
        meta.node.queue_id = (bit<8>)standard_metadata.priority;
        bit<64> unit = (bit<64>)meta.port.clock_unit_ns;
        meta.node.ingress_time = (bit<64>)standard_metadata.ingress_global_timestamp * unit;
        meta.node.egress_time = (bit<64>)standard_metadata.egress_global_timestamp * unit;
        bit<40> queue_bytes = (bit<40>)standard_metadata.deq_qdepth *
                              (bit<40>)meta.port.queue_unit_bytes;
        meta.node.queue_bytes24 = queue_bytes > 0xFFFFFF ? 24w0xFFFFFF : queue_bytes[23:0];
        meta.node.queue_bytes = queue_bytes > 0xFFFFFFFE ? 32w0xFFFFFFFE : queue_bytes[31:0];
    }

    /* All ones would say that it is not known. */
    action measure_latency() {
        bit<64> latency = meta.node.egress_time - meta.node.ingress_time;
        meta.node.latency_ns = latency > 0xFFFFFFFE ? 32w0xFFFFFFFE : latency[31:0];
    }

    apply {
        take();
        measure_latency();
        egress_interface.apply();
        port_buffer.apply();
    }
}  /* node_state */

#endif  /* NODE_STATE_P4 */
