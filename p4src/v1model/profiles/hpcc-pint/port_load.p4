#ifndef PORT_LOAD_P4
#define PORT_LOAD_P4

#include "common/ids.p4"
#include "hpcc_pint_headers.p4"
#include "common/config.p4"
#include "common/metadata.p4"

/*
 * U of the port, filtered by the switch itself (PINT, section 4.3): with each packet
 *
 *     U = U (T - dt) / T + queue dt / (B T T) + bytes / (B T)
 *
 * where dt, at most T, has passed since the packet before, whose bytes filled it. Switches do not
 * divide: the controller gives 2^32 / T and 2^40 / (B T).
 */
control port_load(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<32>>(PORT_COUNT) load;
    register<bit<64>>(PORT_COUNT) last_ns;
    register<bit<32>>(PORT_COUNT) last_bytes;
    bit<64> base_rtt_ns;
    bit<64> inverse_rtt;
    bit<64> inverse_bdp;

    @id(SET_SCALE_ACTION_ID)
    action set_scale(bit<32> rtt_ns, bit<32> rtt_inverse, bit<32> bdp_inverse) {
        base_rtt_ns = (bit<64>)rtt_ns;
        inverse_rtt = (bit<64>)rtt_inverse;
        inverse_bdp = (bit<64>)bdp_inverse;
    }

    @id(NO_SCALE_ACTION_ID)
    action no_scale() {
        inverse_bdp = 0;
    }

    @id(LOAD_SCALE_TABLE_ID)
    table load_scale {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_scale; no_scale; }
        const default_action = no_scale;
        size = PORT_COUNT;
    }

    action filter() {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<32> old_load;
        bit<64> then_ns;
        bit<32> bytes;
        load.read(old_load, port);
        last_ns.read(then_ns, port);
        last_bytes.read(bytes, port);
        bit<64> elapsed_ns = meta.snapshot.timestamp_ns - then_ns;
        elapsed_ns = elapsed_ns > base_rtt_ns ? base_rtt_ns : elapsed_ns;
        bit<64> weight = elapsed_ns * inverse_rtt;
        bit<64> kept = (bit<64>)old_load - (((bit<64>)old_load * weight) >> 32);
        bit<64> waiting = ((bit<64>)meta.snapshot.queue_bytes * weight) >> 32;
        bit<64> sum = kept + (((waiting + (bit<64>)bytes) * inverse_bdp) >> 20);
        meta.pint.load = sum > 0xFFFFFF ? 32w0xFFFFFF : sum[31:0];
        load.write(port, meta.pint.load);
        last_ns.write(port, meta.snapshot.timestamp_ns);
        last_bytes.write(port, standard_metadata.packet_length);
    }

    apply {
        load_scale.apply();
        if (inverse_bdp != 0) {
            filter();
        }
    }
}  /* port_load */

#endif  /* PORT_LOAD_P4 */
