#ifndef PORT_CONGESTION_P4
#define PORT_CONGESTION_P4

#include "../config.p4"
#include "../packet.p4"
#include "../coordination/state.p4"
#include "congestion_mark.p4"

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

#endif  /* PORT_CONGESTION_P4 */
