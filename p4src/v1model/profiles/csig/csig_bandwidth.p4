#ifndef CSIG_BANDWIDTH_P4
#define CSIG_BANDWIDTH_P4

#include "common/ids.p4"
#include "csig_headers.p4"

/*
 * The bandwidth of the egress port that was free in the last whole window of 2^shift ns. Windows
 * begin at multiples of their length; a window in which nothing left was free altogether. Every
 * packet counts, with a tag or without, and the three registers change in one action.
 */
control csig_bandwidth(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    register<bit<64>>(PORT_COUNT) window_index;
    register<bit<32>>(PORT_COUNT) window_bytes;
    register<bit<32>>(PORT_COUNT) last_bytes;

    @id(MEASURE_ACTION_ID)
    action measure(bit<8> shift) {
        bit<32> port = (bit<32>)standard_metadata.egress_port;
        bit<64> window = meta.snapshot.timestamp_ns >> shift;
        bit<64> open_window;
        bit<32> open_bytes;
        bit<32> whole_bytes;
        window_index.read(open_window, port);
        window_bytes.read(open_bytes, port);
        last_bytes.read(whole_bytes, port);
        bool is_open = open_window == window;
        bit<32> before = (open_window + 1) == window ? open_bytes : 0;
        whole_bytes = is_open ? whole_bytes : before;
        open_bytes = is_open ? open_bytes : 0;
        window_index.write(port, window);
        window_bytes.write(port, open_bytes + standard_metadata.packet_length);
        last_bytes.write(port, whole_bytes);
        /* Bytes per window to Mb/s: 8 bits a byte, 1000 ns a us. */
        bit<64> used_mbps = ((bit<64>)whole_bytes * 8000) >> shift;
        meta.csig.free_mbps = meta.port.capacity_mbps |-| used_mbps[31:0];
    }

    @id(WINDOW_TABLE_ID)
    table window {
        actions = { measure; }
        default_action = measure(CSIG_WINDOW_SHIFT);
    }

    apply {
        window.apply();
    }
}  /* csig_bandwidth */

#endif  /* CSIG_BANDWIDTH_P4 */
