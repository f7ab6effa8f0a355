/*
 * HPCC++ switch that trims for Tofino 1 and 2 (TNA): what the profile hpcc-trim does. A packet that
 * its full queue would drop is deflected; its mirrored copy, cut to its headers, goes to the port
 * that the packet was for, into the queue of headers. This file is the table of contents.
 */
#include <core.p4>
#include <tna.p4>

#define ROUTE_TABLE_SIZE 4096

#include "tofino/target/parts.p4"
#include "hpcc_trim_parsers.p4"
#include "hpcc_trim_deparsers.p4"

#include "tofino/target/target.p4"
#include "tofino/target/ttl_checksum.p4"
#include "tofino/blocks/forwarding.p4"
#include "tofino/blocks/hpcc-trim/trim_limits.p4"
#include "tofino/blocks/hpcc-trim/tofino_packet_trim.p4"
#include "common/port_telemetry.p4"
#include "tofino/target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"
#include "tofino/blocks/hpcc-trim/tofino_cut_departure.p4"
#include "tofino/blocks/hpcc-trim/tofino_cut.p4"

control ingress(INGRESS_PARAMETERS) {
    @name(".ingress") forwarding() forward;
    ttl_checksum() checksum;
    trim_limits() limits;
    tofino_packet_trim() trim;

    action deflect_when_full() {
        ig_tm_md.deflect_on_drop = 1;
    }

    action serve_first() {
        ig_tm_md.qid = (QueueId_t)meta.trim.queue;
    }

    apply {
        limits.apply(hdr, meta);
        forward.apply(hdr, meta, ig_tm_md.ucast_egress_port, ig_dprsr_md.drop_ctl);
        checksum.apply(hdr);
        trim.apply(hdr, meta, ig_intr_md.ingress_port, ig_tm_md.ucast_egress_port);
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE) {
            deflect_when_full();
        } else if (meta.trim.is_header) {
            serve_first();
        }
    }
}

@pa_auto_init_metadata
control egress(EGRESS_PARAMETERS) {
    port_telemetry() port;
    departure() left;
    tofino_cut_departure() trim;
    @name(".egress") telemetry_node() node;
    tofino_cut() cut;
    ipv4_renewal() checksum;

    /* Behind the deparser, of the packet as it would leave; the session cuts it. */
    action mirror() {
        hdr.bridge.kind = BRIDGE_OF_HEADER;
        meta.target.session = (mirror_session_t)hdr.bridge.session;
        eg_dprsr_md.mirror_type = MIRROR_HEADER;
        eg_dprsr_md.drop_ctl = 1;
    }

    apply {
        port.apply(meta, meta.target.standard);
        left.apply(meta, eg_intr_md, eg_prsr_md);
        if (eg_intr_md.deflection_flag == 1) {
            cut.apply(hdr);
            checksum.apply(hdr, meta);
            mirror();
        } else {
            if (hdr.bridge.kind == BRIDGE_OF_HEADER) {
                trim.apply(hdr, meta);
            }
            node.apply(hdr, meta);
        }
    }
}

#include "tofino/target/pipeline.p4"
