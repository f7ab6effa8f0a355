#ifndef PATH_COORDINATION_P4
#define PATH_COORDINATION_P4

#include "common/ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "common/config.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "candidate_paths.p4"
#include "v1model/profiles/hpcc-ccm/flow_identity.p4"
#include "path_pin.p4"
#include "path_decision.p4"
#include "packet_spray.p4"

/*
 * Adaptive routing in step with congestion control (draft-lyu-rtgwg-coordinated-cm-01 section 6.3):
 * settings, the ways there are, the decision, and the way taken. Runs after routing, whose choice
 * is the way of flows without another.
 */
control path_coordination(inout headers_t hdr,
                          inout metadata_t meta,
                          inout standard_metadata_t standard_metadata) {
    counter(PATH_OUTCOMES, CounterType.packets) outcomes;

    packet_identity() untagged;
    candidate_paths() candidates;
    path_decision() decision;
    path_pin() pin;
    packet_spray() spray;
    bit<32> own_ar_id;
    bit<64> pin_age;
    bit<64> flowlet_gap;
    bit<64> interval;
    bit<32> session;

    @id(SET_COORDINATION_ACTION_ID)
    action set_coordination(bit<2> mode,
                            bit<32> ar_id,
                            bit<16> clock_unit_ns,
                            bit<64> pin_age_ns,
                            bit<64> flowlet_gap_ns,
                            bit<64> interval_ns,
                            bit<32> clone_session) {
        meta.paths.mode = mode;
        meta.paths.now_ns = (bit<64>)standard_metadata.ingress_global_timestamp *
                            (bit<64>)clock_unit_ns;
        own_ar_id = ar_id;
        pin_age = pin_age_ns;
        flowlet_gap = flowlet_gap_ns;
        interval = interval_ns;
        session = clone_session;
    }

    @id(COORDINATION_SETTINGS_TABLE_ID)
    table coordination_settings {
        actions = { set_coordination; }
        default_action = set_coordination(MODE_ECMP, 0, 0, 0, 0, 0, 0);
    }

    @id(SET_LOAD_WINDOW_ACTION_ID)
    action set_load_window(bit<8> shift) {
        meta.paths.window_shift = shift;
        meta.paths.window = (bit<8>)(meta.paths.now_ns >> shift);
    }

    @id(LOAD_SETTINGS_TABLE_ID)
    table load_settings {
        actions = { set_load_window; }
        default_action = set_load_window(0);
    }

    @id(SET_SPRAY_ACTION_ID)
    action set_spray(bit<1> sprays) {
        meta.paths.sprays = sprays;
    }

    @id(SPRAY_SETTINGS_TABLE_ID)
    table spray_settings {
        actions = { set_spray; }
        default_action = set_spray(0);
    }

    @id(SET_NEXT_HOP_ACTION_ID)
    action set_next_hop(mac_t dst_mac, mac_t src_mac) {
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
    }

    @id(KEEP_NEXT_HOP_ACTION_ID)
    action keep_next_hop() {
    }

    @id(NEXT_HOP_TABLE_ID)
    table next_hop {
        key = { standard_metadata.egress_spec : exact @name("port"); }
        actions = { set_next_hop; keep_next_hop; }
        const default_action = keep_next_hop;
        size = PORT_COUNT;
    }

    apply {
        coordination_settings.apply();
        load_settings.apply();
        spray_settings.apply();
        /*
         * Packets without a tag, such as acknowledgements, change paths without a notification,
         * so that data in the other direction does not share a link with them for ever.
         */
        bool chooses = meta.tag.takes_part;
        /* IPv4 with options comes without either of them. */
        if (meta.paths.mode != MODE_ECMP && !chooses && !hdr.notification.isValid() &&
            (hdr.udp.isValid() || hdr.tcp.isValid())) {
            chooses = true;
            untagged.apply(hdr, meta);
        }
        if (meta.paths.mode != MODE_ECMP && chooses) {
            bool are_known;
            candidates.apply(hdr, meta, standard_metadata, are_known);
            if (are_known) {
                bit<32> outcome;
                port_t routed = standard_metadata.egress_spec;
                pin.apply(meta, pin_age);
                /* Flows that cause incast, or were asked to move, keep to one way. */
                if (meta.paths.sprays == 1 && meta.pin.stays == 0 && meta.pin.move == 0 &&
                    (meta.paths.mode == MODE_ADAPTIVE || meta.tag.cc == 0)) {
                    spray.apply(hdr, meta, standard_metadata, own_ar_id, interval, session,
                                outcome);
                } else {
                    decision.apply(hdr, meta, standard_metadata, own_ar_id, flowlet_gap,
                                   interval, session, outcome);
                }
                outcomes.count(outcome);
                if (standard_metadata.egress_spec != routed) {
                    next_hop.apply();
                }
            }
        }
    }
}  /* path_coordination */

#endif  /* PATH_COORDINATION_P4 */
