#ifndef PACKET_SPRAY_P4
#define PACKET_SPRAY_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "v1model/profiles/hpcc-ccm/coordination_tag.p4"
#include "wanting_path.p4"
#include "v1model/profiles/hpcc-ccm/ecn_congested.p4"
#include "path_scan.p4"

/* After all candidates, as no turn is so far away. */
const bit<5> TURN_NONE = 0x1F;

/*
 * Whose turn it is among the candidates: the first from `slot` on, in a circle. Coordinated spray
 * passes over ports that are not light, and takes ways round only if no shortest one is light;
 * spray by itself knows nothing of the state of paths, and takes the shortest ones.
 */
control spray_scan(inout metadata_t meta, in bit<3> slot, out bit<3> taken) {
    bit<5> best_turn;

    action look(port_t port, bit<3> place) {
        bit<32> state;
        port_states.read(state, (bit<32>)port);
        bool is_way = port != NO_PORT;
        bool is_light = is_way && state[31:31] == 0;
        bool is_shortest = 1w0 ++ place < meta.paths.shortest;
        bool is_blind = meta.paths.mode != MODE_COORDINATED;
        bool may = is_blind ? is_way && is_shortest : is_light;
        bit<3> distance = place - slot;
        bit<5> turn = may ? 1w0 ++ (is_shortest ? 1w0 : 1w1) ++ distance : TURN_NONE;
        meta.paths.lights = meta.paths.lights + (is_light ? 8w1 : 8w0);
        meta.paths.best_port = turn < best_turn ? port : meta.paths.best_port;
        meta.paths.best_is_light = turn < best_turn ? is_light : meta.paths.best_is_light;
        taken = turn < best_turn ? place : taken;
        best_turn = turn < best_turn ? turn : best_turn;
    }

    apply {
        best_turn = TURN_NONE;
        taken = slot;
        meta.paths.lights = 0;
        meta.paths.best_port = NO_PORT;
        meta.paths.best_is_light = false;
        look(meta.paths.port_0, 0);
        look(meta.paths.port_1, 1);
        look(meta.paths.port_2, 2);
        look(meta.paths.port_3, 3);
        look(meta.paths.port_4, 4);
        look(meta.paths.port_5, 5);
        look(meta.paths.port_6, 6);
        look(meta.paths.port_7, 7);
    }
}  /* spray_scan */

/*
 * Packet spray, the method of load balancing that section 4 names beside adaptive routing: each
 * flow goes round the paths packet by packet, and its cell of the pins tells whose turn it is. A
 * flow whose cell belongs to another one begins with each packet where its digest says, and so
 * stays on one way.
 */
control packet_spray(inout headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata,
                     in bit<32> own_ar_id,
                     in bit<64> interval_ns,
                     in bit<32> clone_session,
                     out bit<32> outcome) {
    spray_scan() scan;
    wanting_path() wanting;
    ar_indicator() indicator;
    ecn_congested() ecn;
    path_load() load;
    bit<3> taken;

    action take_turn() {
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        bit<3> next = taken + 1;
        pin_states.write(cell, 1w1 ++ 3w0 ++ next ++ meta.flow.digest ++ NO_PORT);
        pin_times.write(cell, meta.paths.now_ns);
    }

    apply {
        bit<3> slot = meta.pin.is_own ? meta.pin.slot : meta.flow.digest[2:0];
        port_t port = standard_metadata.egress_spec;
        bool needs_mark = false;
        scan.apply(meta, slot, taken);
        outcome = PATH_SPRAYED;
        if (meta.paths.best_port != NO_PORT) {
            port = meta.paths.best_port;
            needs_mark = !meta.paths.best_is_light;
            if (meta.paths.mode == MODE_COORDINATED && meta.tag.takes_part &&
                meta.paths.lights >= 2) {
                indicator.apply(hdr, own_ar_id);
            }
        } else {
            wanting.apply(hdr, meta, port, own_ar_id, interval_ns, clone_session, outcome,
                          needs_mark);
        }
        if (needs_mark) {
            ecn.apply(hdr);
        }
        standard_metadata.egress_spec = port;
        if (!meta.pin.is_foreign) {
            take_turn();
        }
        load.apply(meta, standard_metadata, port, false);
    }
}  /* packet_spray */

#endif  /* PACKET_SPRAY_P4 */
