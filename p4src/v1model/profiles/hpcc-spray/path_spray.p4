#ifndef PATH_SPRAY_P4
#define PATH_SPRAY_P4

#include "common/ids.p4"
#include "common/config.p4"
#include "equal_paths.p4"
#include "hpcc_spray_ids.p4"
#include "path_lookup.p4"
#include "path_turn.p4"
#include "queue_scan.p4"

/*
 * Chooses a path for each packet of TCP and UDP among the shortest ones: at random, in turn, or the
 * one with the shortest queue before it, by what waits at each port. Runs after routing, whose hash
 * decides for all others.
 */
control path_spray(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata)
                  (register<bit<32>> waiting_bytes) {
    path_lookup() paths;
    drawn_place() draw;
    next_place() turn;
    queue_scan(waiting_bytes) scan;
    turn_taken() taken;
    port_at() chosen;
    bit<2> policy;

    @id(SET_SPRAY_POLICY_ACTION_ID)
    action set_spray_policy(bit<2> spray_policy) {
        policy = spray_policy;
    }

    @id(SPRAY_POLICY_TABLE_ID)
    table spray_policy {
        actions = { set_spray_policy; }
        default_action = set_spray_policy(SPRAY_BY_HASH);
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
        spray_policy.apply();
        meta.paths.count = 1;
        if (policy != SPRAY_BY_HASH && (hdr.udp.isValid() || hdr.tcp.isValid())) {
            paths.apply(hdr, meta);
        }
        if (meta.paths.count > 1) {
            bit<3> place;
            port_t port;
            if (policy == SPRAY_AT_RANDOM) {
                draw.apply(meta, place);
            } else {
                turn.apply(meta, place);
                if (policy == SPRAY_BY_QUEUE) {
                    scan.apply(meta, place, place);
                }
                taken.apply(meta, place);
            }
            chosen.apply(meta, place, port);
            standard_metadata.egress_spec = port;
            next_hop.apply();
        }
    }
}  /* path_spray */

#endif  /* PATH_SPRAY_P4 */
