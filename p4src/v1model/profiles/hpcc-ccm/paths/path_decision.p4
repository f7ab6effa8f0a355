#ifndef PATH_DECISION_P4
#define PATH_DECISION_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "path_pin.p4"
#include "path_scan.p4"
#include "v1model/profiles/hpcc-ccm/coordination_tag.p4"
#include "wanting_path.p4"
#include "v1model/profiles/hpcc-ccm/ecn_congested.p4"

/*
 * The decision for one packet. A packet with the CC indicator is never re-routed: its flow causes
 * incast, and would meet it on every path. Others leave a path that is not light if there is
 * a light one; if there is none, the point upstream that the tag names is asked, or, without one or
 * where asking did not help, ECN tells the hosts.
 */
control path_decision(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata,
                      in bit<32> own_ar_id,
                      in bit<64> flowlet_gap_ns,
                      in bit<64> interval_ns,
                      in bit<32> clone_session,
                      out bit<32> outcome) {
    path_scan() scan;
    path_pin_update() pin_update;
    ar_indicator() indicator;
    wanting_path() wanting;
    ecn_congested() ecn;
    path_load() load;

    apply {
        bool coordinated = meta.paths.mode == MODE_COORDINATED;
        bit<1> asked = coordinated ? meta.pin.move : 0;
        scan.apply(meta, standard_metadata.egress_spec, asked == 1 ? meta.pin.port : NO_PORT);
        bool has_path = meta.pin.is_own && meta.paths.pin_is_way;
        bool is_light = has_path ? meta.paths.pin_is_light : meta.paths.ecmp_is_light;
        port_t port = standard_metadata.egress_spec;
        if (has_path) {
            port = meta.pin.port;
        } else if (!meta.paths.ecmp_is_way) {
            port = meta.paths.port_0;
        }
        bool needs_mark = false;
        bool moved = false;
        /* A flow that would only change places with others stays. */
        bit<28> enough = (meta.paths.pin_load >> 2) + (meta.paths.pin_load >> 3);
        bool is_better = meta.paths.window_shift == 0 || !has_path || asked == 1 ||
                         meta.paths.best_load < enough;
        bool is_wanting = meta.paths.lights == 0 || (!is_light && !is_better);
        bit<1> move = 0;
        outcome = PATH_KEPT;
        if (coordinated && meta.tag.cc == 1) {
            outcome = PATH_FIXED;
            move = asked;
            needs_mark = !is_light;
        } else if (is_wanting) {
            wanting.apply(hdr, meta, port, own_ar_id, interval_ns, clone_session, outcome,
                          needs_mark);
        } else {
            if (coordinated && meta.tag.takes_part && meta.paths.lights >= 2) {
                indicator.apply(hdr, own_ar_id);
            }
            bool wants_move = !is_light || asked == 1 || !(has_path || meta.pin.is_foreign);
            if (wants_move && meta.paths.best_port != NO_PORT) {
                if (has_path && meta.pin.gap_ns < flowlet_gap_ns) {
                    outcome = PATH_HELD;
                    move = asked;
                } else {
                    outcome = asked == 1 ? PATH_MOVED_AS_ASKED
                                         : (has_path ? PATH_MOVED : PATH_FIRST);
                    port = meta.paths.best_port;
                    moved = has_path;
                }
            }
        }
        if (needs_mark) {
            ecn.apply(hdr);
        }
        standard_metadata.egress_spec = port;
        meta.pin.stays = meta.paths.sprays & (meta.pin.stays | asked);
        pin_update.apply(meta, port, move);
        load.apply(meta, standard_metadata, port, moved);
    }
}  /* path_decision */

#endif  /* PATH_DECISION_P4 */
