/*
 * HPCC++ edge switch for Tofino 1 and 2 (TNA): the tables of the profile hpcc-edge. Ingress
 * decides what egress takes out, and a source adds there. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define ROUTE_TABLE_SIZE 4096

#include "common/config.p4"
#include "common/types.p4"
#include "tofino/target/parts.p4"
#include "hpcc_edge_headers.p4"
#include "hpcc_edge_parsers.p4"
#include "hpcc_edge_deparsers.p4"

#include "tofino/target/target.p4"
#include "common/port_telemetry.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_report.p4"
#include "tofino/target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"
#include "edge_ingress.p4"

/* Else the compiler has one container for both, and the sum of IPv4 gets that of UDP and TCP. */
#if __TARGET_TOFINO__ == 2
@pa_no_overlay("ingress", "meta.target.ipv4_rest", "meta.target.l4_rest")
#endif /* __TARGET_TOFINO__ */
@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departure() left;
    @name(".egress") telemetry_node() node;
    tofino_int_report() report;

    action drop() {
        eg_dprsr_md.drop_ctl = 1;
    }

    /* Behind the deparser: the copy is of the packet as it leaves. */
    action report_own_hop() {
        meta.sink.copy_kind = COPY_OF_EGRESS;
        meta.sink.session = (session_t)hdr.change.session;
        meta.sink.ingress_port = (bit<16>)meta.departure.ingress_port;
        meta.sink.egress_port = (bit<16>)meta.departure.egress_port;
        meta.sink.queue = meta.departure.queue_id ++ meta.snapshot.queue_bytes;
        eg_dprsr_md.mirror_type = MIRROR_REPORT;
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
            if (hdr.change.session != 0) {
                report_own_hop();
            }
            hdr.bridge.setInvalid();
            hdr.change.setInvalid();
        }
    }
}

#include "tofino/target/pipeline.p4"
