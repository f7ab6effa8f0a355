#ifndef TOFINO_EDGE_INGRESS_P4
#define TOFINO_EDGE_INGRESS_P4

#include "hpcc_edge_headers.p4"
#include "tofino/target/bridge.p4"
#include "tofino/blocks/tofino_l3_route.p4"
#include "tofino/blocks/tofino_ip_admission.p4"
#include "tofino/blocks/drop_verdict.p4"
#include "tofino/blocks/hpcc-edge/int_strip_decision.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_trust.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_watch.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_source.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_sink.p4"
#include "tofino/blocks/hpcc-edge/read_dscp.p4"
#include "edge_telemetry.p4"

/*
 * All that an edge decides and changes: egress of Tofino 1 parses no more than 160 bytes. In the
 * order of what needs what, with conditions of one step, so that the compiler can put beside the
 * route what does not need it.
 */
control ingress(INGRESS_PARAMETERS) {
    tofino_ip_admission() admission;
    tofino_l3_route() route;
    read_dscp() dscp;
    int_headroom() rooms;
    int_strip_decision() decision;
    tofino_int_trust() trust;
    tofino_int_watch() watch;
    source_mtu() mtu;
    tofino_int_source() source;
    tofino_int_sink() sink;
    whole_strip() strip;
    edge_checksum() checksum;
    @name(".ingress") bridging() front;
    @name(".ingress") drop_verdict() last;

    action report() {
        meta.sink.copy_kind = COPY_OF_INGRESS;
        ig_dprsr_md.mirror_type = MIRROR_REPORT;
    }

    action end_here() {
        hdr.change.ends = 1;
    }

    /* Dropped packets count nowhere else. */
    action forget_source() {
        meta.source.wanted = false;
    }

    action tell_change() {
        hdr.change.setValid();
        hdr.change.bytes = meta.departure.frame_bytes;
    }

    /* Where the own hop is known; zero stays zero. */
    action report_in_egress() {
        hdr.change.session = (bit<16>)meta.sink.session;
    }

    apply {
        admission.apply(hdr, meta);
        route.apply(hdr, meta, ig_tm_md.ucast_egress_port);
        dscp.apply(hdr, meta);
        rooms.apply(hdr, meta);
        decision.apply(hdr, meta);
        watch.apply(hdr, meta);
        trust.apply(hdr, meta, ig_intr_md.ingress_port);
        if (!meta.route.found || meta.arrival.drop_cause != NO_CAUSE) {
            forget_source();
        } else if (!meta.strip.wanted) {
            sink.apply(hdr, meta, ig_tm_md.ucast_egress_port, meta.sink.session);
        }
        if (meta.strip.reports && meta.strip.fits) {
            report();
        }
        if (meta.strip.restores && meta.strip.fits && hdr.int_md.d == 1) {
            end_here();
        }
        mtu.apply(meta, ig_tm_md.ucast_egress_port);
        source.apply(hdr, meta);
        if (meta.excess.tracks) {
            report_in_egress();
        }
        if (meta.strip.wanted && meta.strip.fits) {
            strip.apply(hdr, meta);
        }
        checksum.apply(hdr, meta);
        tell_change();
        front.apply(hdr.bridge, ig_intr_md.ingress_port);
        last.apply(meta, ig_dprsr_md.drop_ctl);
    }
}  /* ingress */

#endif  /* TOFINO_EDGE_INGRESS_P4 */
