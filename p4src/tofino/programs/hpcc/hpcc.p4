/*
 * HPCC++ transit switch for Tofino 1 and 2 (TNA): the tables and the telemetry of the profile hpcc.
 * This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "tofino/target/parts.p4"
#include "hpcc_headers.p4"
#include "hpcc_parsers.p4"
#include "hpcc_deparsers.p4"

#include "tofino/target/target.p4"
#include "tofino/target/transit_ingress.p4"
#include "common/port_telemetry.p4"
#include "tofino/target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departure() left;
    @name(".egress") telemetry_node() node;

    apply {
        hdr.bridge.setInvalid();
        port.apply(meta, meta.target.standard);
        left.apply(meta, eg_intr_md, eg_prsr_md);
        node.apply(hdr, meta);
    }
}

#include "tofino/target/pipeline.p4"
