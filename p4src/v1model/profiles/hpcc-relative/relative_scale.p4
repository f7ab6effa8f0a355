#ifndef RELATIVE_SCALE_P4
#define RELATIVE_SCALE_P4

#include "relative_ids.p4"
#include "hpcc_relative_headers.p4"
#include "common/config.p4"
#include "common/metadata.p4"

/*
 * Shows a port (HPCC++, section "Internet Deployment") under an alias in place of its node, and
 * with the capacity that all ports have. A port without an entry is as one without a
 * record, which shows nothing: real figures never leave by default.
 */
control relative_scale(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    @id(SHOW_AS_ACTION_ID)
    action show_as(bit<32> alias, bit<32> nominal_mbps, bit<32> factor) {
        meta.port.node_id = alias;
        meta.port.capacity_mbps = nominal_mbps;
        meta.relative.factor = factor;
    }

    @id(SHOW_NOTHING_ACTION_ID)
    action show_nothing() {
        meta.port.known = false;
    }

    @id(SHOWN_PORTS_TABLE_ID)
    table shown_ports {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { show_as; show_nothing; }
        const default_action = show_nothing;
        size = PORT_COUNT;
    }

    apply {
        shown_ports.apply();
    }
}  /* relative_scale */

#endif  /* RELATIVE_SCALE_P4 */
