#ifndef PATH_LOAD_P4
#define PATH_LOAD_P4

#include "../packet.p4"
#include "../coordination/state.p4"

/*
 * Counts what is sent to each port per window of time, because a queue tells nothing of a full link
 * as long as it is short. A flow that moves takes half of its old port's load with it: others that
 * decide in the same window see the ports as they are going to be, and do not all follow it.
 */
control path_load(inout metadata_t meta,
                  in standard_metadata_t standard_metadata,
                  in port_t port,
                  in bool moved) {
    action leave() {
        bit<32> old = (bit<32>)meta.pin.port;
        bit<64> load;
        port_loads.read(load, old);
        bit<28> before = load[55:28];
        bit<28> now = load[27:0];
        port_loads.write(old, load[63:56] ++ (before - (before >> 1)) ++ (now - (now >> 1)));
    }

    action count() {
        bit<64> load;
        port_loads.read(load, (bit<32>)port);
        bool is_same = load[63:56] == meta.paths.window;
        bool is_next = load[63:56] + 1 == meta.paths.window;
        bit<28> before = is_same ? load[55:28] : (is_next ? load[27:0] : 0);
        bit<28> now = is_same ? load[27:0] : 0;
        bit<28> brought = moved ? meta.paths.pin_load >> 1 : 0;
        port_loads.write((bit<32>)port,
                         meta.paths.window ++ (before + brought) ++
                         (now + brought + (bit<28>)standard_metadata.packet_length));
    }

    apply {
        if (meta.paths.window_shift != 0) {
            if (moved) {
                leave();
            }
            count();
        }
    }
}  /* path_load */

#endif  /* PATH_LOAD_P4 */
