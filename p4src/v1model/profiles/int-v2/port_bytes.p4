#ifndef PORT_BYTES_P4
#define PORT_BYTES_P4

#include "common/config.p4"
#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"

/*
 * Bytes that the port has sent before this frame, and the share of the link that they were in the
 * last whole window. The frame counts with the size that it leaves with.
 */
control port_bytes(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<64>>(PORT_COUNT) tx_bytes;
    register<bit<64>>(PORT_COUNT) windows;
    register<bit<32>>(PORT_COUNT) window_bytes;
    register<bit<32>>(PORT_COUNT) previous_bytes;
    bit<32> port;

    /*
     * Share of the link in the last whole window of 2^shift ns, in units that `scale` makes of
     * bytes by a multiplication, with 24 bits behind the point.
     */
    @id(SET_UTILIZATION_SCALE_ACTION_ID)
    action set_utilization_scale(bit<32> scale, bit<8> shift) {
        bit<64> last;
        bit<32> current;
        bit<32> previous;
        bit<64> window = meta.node.egress_time >> shift;
        windows.read(last, port);
        window_bytes.read(current, port);
        previous_bytes.read(previous, port);
        previous = window == last ? previous : (window == last + 1 ? current : 32w0);
        current = window == last ? current : 32w0;
        bit<64> share = ((bit<64>)previous * (bit<64>)scale) >> 24;
        meta.node.utilization = share > 0xFFFFFFFE ? 32w0xFFFFFFFE : share[31:0];
        windows.write(port, window);
        previous_bytes.write(port, previous);
        window_bytes.write(port, current + meta.frame_bytes);
    }

    @id(NO_UTILIZATION_ACTION_ID)
    action no_utilization() {
        meta.node.utilization = 0xFFFFFFFF;
    }

    @id(UTILIZATION_SCALE_TABLE_ID)
    table utilization_scale {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_utilization_scale; no_utilization; }
        const default_action = no_utilization;
        size = PORT_COUNT;
    }

    action count_bytes() {
        bit<64> sent_bytes;
        tx_bytes.read(sent_bytes, port);
        meta.node.tx_bytes = sent_bytes & ~((bit<64>)meta.port.tx_unit_bytes - 1);
        tx_bytes.write(port, sent_bytes + (bit<64>)meta.frame_bytes);
    }

    apply {
        port = (bit<32>)standard_metadata.egress_port;
        count_bytes();
        utilization_scale.apply();
    }
}  /* port_bytes */

#endif  /* PORT_BYTES_P4 */
