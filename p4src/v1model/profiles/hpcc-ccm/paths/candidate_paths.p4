#ifndef CANDIDATE_PATHS_P4
#define CANDIDATE_PATHS_P4

#include "common/ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "common/config.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"

/*
 * The ways to the packet's destination. Where paths do not cost the same, they depend on where the
 * packet came from, which keeps detours free of loops.
 */
control candidate_paths(in headers_t hdr,
                        inout metadata_t meta,
                        in standard_metadata_t standard_metadata,
                        out bool are_known) {
    bit<16> arrival_class;

    @id(SET_ARRIVAL_ACTION_ID)
    action set_arrival(bit<16> arrival) {
        arrival_class = arrival;
    }

    @id(ARRIVAL_TABLE_ID)
    table arrival {
        key = { standard_metadata.ingress_port : exact @name("standard_metadata.ingress_port"); }
        actions = { set_arrival; }
        const default_action = set_arrival(0);
        size = PORT_COUNT;
    }

    /* The first `shortest` ways are; the others lead round. */
    @id(SET_CANDIDATES_ACTION_ID)
    action set_candidates(bit<4> shortest,
                          port_t port_0, port_t port_1, port_t port_2, port_t port_3,
                          port_t port_4, port_t port_5, port_t port_6, port_t port_7) {
        are_known = true;
        meta.paths.shortest = shortest;
        meta.paths.port_0 = port_0;
        meta.paths.port_1 = port_1;
        meta.paths.port_2 = port_2;
        meta.paths.port_3 = port_3;
        meta.paths.port_4 = port_4;
        meta.paths.port_5 = port_5;
        meta.paths.port_6 = port_6;
        meta.paths.port_7 = port_7;
    }

    @id(NO_CANDIDATES_ACTION_ID)
    action no_candidates() {
        are_known = false;
    }

    @id(CANDIDATES_TABLE_ID)
    table candidates {
        key = {
            arrival_class     : exact @name("arrival");
            hdr.ipv4.dst_addr : exact @name("hdr.ipv4.dst_addr");
        }
        actions = { set_candidates; no_candidates; }
        const default_action = no_candidates;
        size = CANDIDATE_TABLE_SIZE;
    }

    @id(IPV6_CANDIDATES_TABLE_ID)
    table candidates_ipv6 {
        key = {
            arrival_class     : exact @name("arrival");
            hdr.ipv6.dst_addr : exact @name("hdr.ipv6.dst_addr");
        }
        actions = { set_candidates; no_candidates; }
        const default_action = no_candidates;
        size = CANDIDATE_TABLE_SIZE;
    }

    apply {
        are_known = false;
        arrival_class = 0;
        arrival.apply();
        if (hdr.ipv4.isValid()) {
            candidates.apply();
        } else {
            candidates_ipv6.apply();
        }
    }
}  /* candidate_paths */

#endif  /* CANDIDATE_PATHS_P4 */
