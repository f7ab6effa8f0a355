/*
 * HPCC++ edge switch for Tofino 1 and 2 (TNA): the tables of ../../profiles/hpcc-edge. Ingress
 * decides what egress takes out, and a source adds there. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define ROUTE_TABLE_SIZE 4096

#include "../../config.p4"
#include "../../types.p4"
#include "hpcc-edge/packet.p4"
#include "hpcc-edge/parsers.p4"
#include "hpcc-edge/deparsers.p4"

#include "target.p4"
#include "hpcc-edge/target.p4"
#include "../../portable/int_admission.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "../../portable/int_transit.p4"
#include "../../portable/hpcc-edge/int_report.p4"
#include "int_checksum.p4"
#include "hpcc-edge/ingress.p4"

@pa_auto_init_metadata
control egress(inout headers_t hdr,
               inout metadata_t meta,
               in egress_intrinsic_metadata_t eg_intr_md,
               in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
               inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
               inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    port_telemetry() port;
    departure() left;
    int_admission() admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_checksum() checksum;
    int_report() report;

    action drop() {
        eg_dprsr_md.drop_ctl = 1;
    }

    action change_frame() {
        meta.departure.frame_bytes = meta.departure.frame_bytes + hdr.change.bytes;
    }

    apply {
        if (hdr.copy.isValid()) {
            report.apply(hdr, meta, eg_intr_md.egress_port);
            if (!meta.report.collected) {
                drop();
            }
        } else {
            port.apply(meta, meta.standard);
            left.apply(meta, eg_intr_md, eg_prsr_md);
            change_frame();
            admission.apply(hdr, meta);
            snapshot.apply(meta);
            transit.apply(hdr, meta);
            checksum.apply(hdr, meta);
            if (hdr.change.ends == 1) {
                drop();
            }
        }
    }
}

Pipeline(ingress_parser(), ingress(), ingress_deparser(),
         egress_parser(), egress(), egress_deparser()) pipe;
Switch(pipe) main;
