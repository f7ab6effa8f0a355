/*
 * HPCC++ transit switch for Tofino 1 and 2 (TNA): the tables and the telemetry of ../../hpcc.p4.
 * This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#include "../../config.p4"
#include "../../types.p4"
#include "parts.p4"
#include "packet.p4"
#include "parsers.p4"
#include "deparsers.p4"

#include "target.p4"
#include "ingress.p4"
#include "../../blocks/port_telemetry.p4"
#include "int_checksum.p4"
#include "../../portable/telemetry_node.p4"

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

#include "pipeline.p4"
