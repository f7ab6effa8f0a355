/*
 * HPCC++ edge switch for Tofino 1 and 2 (TNA): the tables of ../../profiles/hpcc-edge. Ingress
 * decides what egress takes out, and a source adds there. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define ROUTE_TABLE_SIZE 4096

#include "../../config.p4"
#include "../../types.p4"
#include "parts.p4"
#include "hpcc-edge/packet.p4"
#include "hpcc-edge/parsers.p4"
#include "hpcc-edge/deparsers.p4"

#include "target.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/hpcc-edge/int_report.p4"
#include "int_checksum.p4"
#include "../../portable/telemetry_node.p4"
#include "hpcc-edge/ingress.p4"

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departure() left;
    @name(".egress") telemetry_node() node;
    int_report() report;

    action drop() {
        eg_dprsr_md.drop_ctl = 1;
    }

    action change_frame() {
        meta.departure.frame_bytes = meta.departure.frame_bytes + hdr.change.bytes;
    }

    apply {
        if (hdr.copy.isValid()) {
            hdr.copy.setInvalid();
            report.apply(hdr, meta, eg_intr_md.egress_port);
            if (!meta.report.collected) {
                drop();
            }
        } else {
            port.apply(meta, meta.target.standard);
            left.apply(meta, eg_intr_md, eg_prsr_md);
            change_frame();
            node.apply(hdr, meta);
            if (hdr.change.ends == 1) {
                drop();
            }
            hdr.bridge.setInvalid();
            hdr.change.setInvalid();
        }
    }
}

#include "pipeline.p4"
