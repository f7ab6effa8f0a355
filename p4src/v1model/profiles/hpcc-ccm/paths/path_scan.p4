#ifndef PATH_SCAN_P4
#define PATH_SCAN_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"

/* Cost of a way that is not to be taken. */
const bit<32> COST_NONE = 0xFFFFFFFF;

/*
 * Looks at the candidates: how many are light, which of the light ones has the shortest queue, and
 * how the flow's own way does. Ways round count only if no shortest one is light. Queues count in
 * KiB, and flows order equal ones differently, lest all leave for the same. This is the local
 * choice of path that the draft leaves open: another method is another control of this signature.
 */
control path_scan(inout metadata_t meta, in port_t ecmp_port, in port_t avoided_port) {
    bit<32> best_cost;

    action look(port_t port, bit<3> slot) {
        bit<32> state;
        port_states.read(state, (bit<32>)port);
        bool is_light = port != NO_PORT && state[31:31] == 0;
        bool is_pin = port == meta.pin.port && port != NO_PORT;
        bool is_ecmp = port == ecmp_port;
        bit<1> detour = 1w0 ++ slot < meta.paths.shortest ? 1w0 : 1w1;
        bit<3> order = slot ^ meta.flow.digest[2:0];
        bit<64> counted;
        port_loads.read(counted, (bit<32>)port);
        bool is_same = counted[63:56] == meta.paths.window;
        bool is_next = counted[63:56] + 1 == meta.paths.window;
        bit<28> before = is_same ? counted[55:28] : (is_next ? counted[27:0] : 0);
        bit<28> now = is_same ? counted[27:0] : 0;
        bit<28> load = now > before ? now : before;
        bit<28> amount = meta.paths.window_shift == 0 ? 4w0 ++ state[23:10] ++ 10w0
                                                      : load + (4w0 ++ state[23:0]);
        bit<32> cost = is_light && port != avoided_port
                       ? detour ++ amount ++ order : COST_NONE;
        meta.paths.best_load = cost < best_cost ? load : meta.paths.best_load;
        meta.paths.pin_load = is_pin ? load : meta.paths.pin_load;
        meta.paths.lights = meta.paths.lights + (is_light ? 8w1 : 8w0);
        meta.paths.best_port = cost < best_cost ? port : meta.paths.best_port;
        best_cost = cost < best_cost ? cost : best_cost;
        meta.paths.pin_is_way = meta.paths.pin_is_way || is_pin;
        meta.paths.pin_is_light = meta.paths.pin_is_light || (is_pin && is_light);
        meta.paths.ecmp_is_way = meta.paths.ecmp_is_way || is_ecmp;
        meta.paths.ecmp_is_light = meta.paths.ecmp_is_light || (is_ecmp && is_light);
    }

    apply {
        best_cost = COST_NONE;
        meta.paths.lights = 0;
        meta.paths.best_port = NO_PORT;
        meta.paths.best_load = 0;
        meta.paths.pin_load = 0;
        meta.paths.pin_is_way = false;
        meta.paths.pin_is_light = false;
        meta.paths.ecmp_is_way = false;
        meta.paths.ecmp_is_light = false;
        look(meta.paths.port_0, 0);
        look(meta.paths.port_1, 1);
        if (meta.paths.port_2 != NO_PORT) {
            look(meta.paths.port_2, 2);
            look(meta.paths.port_3, 3);
        }
        if (meta.paths.port_4 != NO_PORT) {
            look(meta.paths.port_4, 4);
            look(meta.paths.port_5, 5);
            look(meta.paths.port_6, 6);
            look(meta.paths.port_7, 7);
        }
    }
}  /* path_scan */

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

#endif  /* PATH_SCAN_P4 */
