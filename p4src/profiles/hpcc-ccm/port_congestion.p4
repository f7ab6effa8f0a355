#ifndef HPCC_CCM_PORT_CONGESTION_P4
#define HPCC_CCM_PORT_CONGESTION_P4

#include "packet.p4"
#include "../../config.p4"
#include "types.p4"
#include "ecn_congested.p4"

/*
 * ECN at congested ports to hosts, where no other path helps; without adaptive routing at all
 * congested ports.
 */
control congestion_mark(inout headers_t hdr,
                        in metadata_t meta,
                        in standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets) marks;

    ecn_congested() ecn;

    apply {
        if (meta.congestion.congested &&
            (meta.congestion.to_host || meta.paths.mode == MODE_ECMP)) {
            ecn.apply(hdr);
            marks.count((bit<32>)standard_metadata.egress_port);
        }
    }
}  /* congestion_mark */

/*
 * Whether the egress port is congested, by the queue of the telemetry's own snapshot: from the
 * upper threshold on, until it falls to the lower one. Ingress reads the state, and ECN tells it.
 */
control port_congestion(inout headers_t hdr,
                        inout metadata_t meta,
                        in standard_metadata_t standard_metadata) {
    register<bit<64>>(PORT_COUNT) congested_times;

    congestion_mark() ecn;

    action watch_port(bit<24> high_bytes, bit<24> low_bytes, bit<1> to_host) {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<24> queue_bytes = meta.snapshot.queue_bytes;
        bit<32> state;
        bit<64> congested_time;
        port_states.read(state, port);
        congested_times.read(congested_time, port);
        bool congested = queue_bytes >= high_bytes ||
                         (state[31:31] == 1 && queue_bytes > low_bytes);
        congested_time = congested ? meta.snapshot.timestamp_ns : congested_time;
        port_states.write(port, (congested ? 8w0x80 : 8w0) ++ queue_bytes);
        congested_times.write(port, congested_time);
        meta.congestion.congested = congested;
        meta.congestion.to_host = to_host == 1;
        meta.congestion.calm_ns = meta.snapshot.timestamp_ns - congested_time;
    }

    action not_watched() {
        meta.congestion.congested = false;
        meta.congestion.to_host = false;
    }

    table thresholds {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { watch_port; not_watched; }
        const default_action = not_watched;
        size = PORT_COUNT;
    }

    apply {
        thresholds.apply();
        ecn.apply(hdr, meta, standard_metadata);
    }
}  /* port_congestion */

#endif  /* HPCC_CCM_PORT_CONGESTION_P4 */
