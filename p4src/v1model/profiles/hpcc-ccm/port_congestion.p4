#ifndef PORT_CONGESTION_P4
#define PORT_CONGESTION_P4

#include "common/ids.p4"
#include "hpcc_ccm_headers.p4"
#include "common/config.p4"
#include "hpcc_ccm_types.p4"
#include "ecn_congested.p4"
#include "port_fill.p4"

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
 * Decides whether packets of several flows have left the port to a host lately: incast takes more
 * than one. A flow alone fills such a port only for a moment, when it has come by another path.
 */
control shared_port(in metadata_t meta,
                    in standard_metadata_t standard_metadata,
                    in bit<48> window_ns,
                    out bool is_shared) {
    /* By port: the latest flow (bits 63 to 48), and when another one was before it. */
    register<bit<64>>(PORT_COUNT) port_flows;

    action look() {
        bit<64> last;
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<48> now = meta.snapshot.timestamp_ns[47:0];
        port_flows.read(last, port);
        bool is_other = meta.tag.takes_part && last[63:48] != meta.flow.digest;
        bool is_first = last == 0;
        bit<48> since = is_first ? 48w0 : (is_other ? now : last[47:0]);
        is_shared = since != 0 && now - since < window_ns;
        port_flows.write(port, is_other ? meta.flow.digest ++ since : last);
    }

    apply {
        look();
    }
}  /* shared_port */

/*
 * Decides whether the egress port is congested, by the queue of the telemetry's own snapshot: from
 * the upper threshold on, until it falls to the lower one. Ports to hosts have thresholds of their
 * own while several flows share them. Ingress reads the state, and ECN marks it.
 */
control port_congestion(inout headers_t hdr,
                        inout metadata_t meta,
                        in standard_metadata_t standard_metadata) {
    register<bit<64>>(PORT_COUNT) congested_times;

    congestion_mark() ecn;
    shared_port() sharing;
    port_fill() fill;
    bit<24> high;
    bit<24> low;
    bit<24> shared_high;
    bit<24> shared_low;
    bit<38> full;
    bit<48> window;

    @id(WATCH_PORT_ACTION_ID)
    action watch_port(bit<24> high_bytes, bit<24> low_bytes) {
        high = high_bytes;
        low = low_bytes;
        meta.congestion.to_host = false;
    }

    @id(WATCH_HOST_PORT_ACTION_ID)
    action watch_host_port(bit<24> high_bytes,
                           bit<24> low_bytes,
                           bit<24> shared_high_bytes,
                           bit<24> shared_low_bytes,
                           bit<38> full_bytes,
                           bit<48> window_ns) {
        high = high_bytes;
        low = low_bytes;
        shared_high = shared_high_bytes;
        shared_low = shared_low_bytes;
        full = full_bytes;
        window = window_ns;
        meta.congestion.to_host = true;
    }

    action judge() {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<24> queue_bytes = meta.snapshot.queue_bytes;
        bit<32> state;
        bit<64> congested_time;
        port_states.read(state, port);
        congested_times.read(congested_time, port);
        bool congested = queue_bytes >= high || (state[31:31] == 1 && queue_bytes > low);
        congested_time = congested || meta.congestion.is_full ? meta.snapshot.timestamp_ns
                                                              : congested_time;
        port_states.write(port, (congested ? 8w0x80 : 8w0) ++ queue_bytes);
        congested_times.write(port, congested_time);
        meta.congestion.congested = congested;
        meta.congestion.calm_ns = meta.snapshot.timestamp_ns - congested_time;
    }

    @id(NOT_WATCHED_ACTION_ID)
    action not_watched() {
        meta.congestion.congested = false;
        meta.congestion.to_host = false;
    }

    @id(THRESHOLDS_TABLE_ID)
    table thresholds {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { watch_port; watch_host_port; not_watched; }
        const default_action = not_watched;
        size = PORT_COUNT;
    }

    apply {
        meta.congestion.is_full = false;
        if (thresholds.apply().hit) {
            if (meta.congestion.to_host) {
                bool is_shared;
                bool is_full;
                sharing.apply(meta, standard_metadata, window, is_shared);
                fill.apply(meta, standard_metadata, full, (bit<64>)window, is_full);
                if (is_shared) {
                    high = shared_high;
                    low = shared_low;
                    meta.congestion.is_full = is_full;
                }
            }
            judge();
        }
        ecn.apply(hdr, meta, standard_metadata);
    }
}  /* port_congestion */

#endif  /* PORT_CONGESTION_P4 */
