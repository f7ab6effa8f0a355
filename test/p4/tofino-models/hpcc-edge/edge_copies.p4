#ifndef MODEL_EDGE_COPIES_P4
#define MODEL_EDGE_COPIES_P4

#include "hpcc_edge_headers.p4"
#include "common/config.p4"
#include "edge_checksums.p4"
#include "../target/int_checksum.p4"
#include "tofino/blocks/int_headroom.p4"
#include "tofino/blocks/hpcc-edge/int_strip_decision.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_sink.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_report.p4"

/* Tells what the sink wants of a packet before the source of the same switch sees it. */
control edge_sink_choice(inout headers_t hdr,
                         inout metadata_t meta,
                         in standard_metadata_t standard_metadata,
                         out session_t session) {
    int_headroom() rooms;
    int_strip_decision() decision;
    @name(".egress.sink") tofino_int_sink() sink;

    apply {
        meta.strip.wanted = false;
        meta.strip.restores = false;
        meta.strip.reports = false;
        meta.strip.fits = false;
        if (hdr.int_stack.isValid()) {
            rooms.apply(hdr, meta);
            decision.apply(hdr, meta);
        }
        sink.apply(hdr, meta, standard_metadata.egress_port, session);
    }
}  /* edge_sink_choice */

/*
 * The sink, which keeps for the copy what it takes out. A packet with D ends here; its copy does
 * not. Of a packet that the source of this switch would have changed, the copy is as it leaves.
 */
control edge_sink(inout headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata,
                  in session_t session) {
    int_checksum() flags;
    model_whole_strip() strip;

    action keep_place() {
        meta.sink.ingress_port = (bit<16>)meta.departure.ingress_port;
        meta.sink.egress_port = (bit<16>)meta.departure.egress_port;
        meta.sink.queue_id = meta.departure.queue_id;
        meta.sink.dscp = hdr.ipv4.isValid() ? hdr.ipv4.dscp : hdr.ipv6.dscp;
        meta.sink.ip_length = hdr.ipv4.isValid() ? hdr.ipv4.total_len : hdr.ipv6.payload_length;
        meta.sink.udp_length = hdr.udp.length;
        meta.sink.checksum = hdr.udp.isValid() ? hdr.udp.checksum : hdr.tcp.checksum;
    }

    action keep_telemetry() {
        hdr.taken_shim = hdr.int_shim;
        hdr.taken_md = hdr.int_md;
        hdr.taken_stack = hdr.int_stack;
        meta.sink.has_hop = meta.telemetry.push;
        meta.telemetry.push = false;
    }

    action report_own_hop() {
        meta.sink.has_hop = true;
    }

    apply {
        if (meta.excess.tracks) {
            keep_place();
            report_own_hop();
        } else if (meta.strip.restores && meta.strip.fits) {
            keep_telemetry();
            /* A flag that the admission has just set is part of what is taken out. */
            flags.apply(hdr, meta);
            keep_place();
            strip.apply(hdr, meta);
            if (hdr.taken_md.d == 1) {
                mark_to_drop(standard_metadata);
            }
        }
        if (meta.strip.reports && (meta.excess.tracks || meta.strip.fits)) {
            clone_preserving_field_list(CloneType.E2E, session, REPORT_FIELDS);
        }
    }
}  /* edge_sink */

/* Makes the report of a clone, of the packet as it came to the sink. */
control edge_report(inout headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    @name(".egress.report") tofino_int_report() report;

    action restore() {
        hdr.int_shim = hdr.taken_shim;
        hdr.int_md = hdr.taken_md;
        hdr.int_stack = hdr.taken_stack;
        hdr.taken_shim.setInvalid();
        hdr.taken_md.setInvalid();
        hdr.taken_stack.setInvalid();
        hdr.ipv4.dscp = meta.sink.dscp;
        hdr.ipv4.total_len = meta.sink.ip_length;
        hdr.ipv6.dscp = meta.sink.dscp;
        hdr.ipv6.payload_length = meta.sink.ip_length;
        hdr.udp.length = meta.sink.udp_length;
        hdr.udp.checksum = meta.sink.checksum;
        hdr.tcp.checksum = meta.sink.checksum;
    }

    action tell_hop() {
        hdr.report_hop.setValid();
        hdr.report_hop = { meta.sink.ingress_port, meta.sink.egress_port, meta.sink.queue_id,
                           meta.snapshot.queue_bytes, meta.snapshot.timestamp_ns,
                           meta.snapshot.tx_bytes, meta.port.capacity_mbps };
    }

    /* If it is a whole number of them and fits into the field. */
    action tell_words() {
        hdr.report.report_length =
            meta.report.rest_bytes[1:0] == 0 && meta.report.rest_bytes < 1020
                ? meta.report.rest_bytes[9:2] : 8w255;
    }

    apply {
        restore();
        if (meta.sink.has_hop) {
            tell_hop();
        }
        report.apply(hdr, meta, standard_metadata.egress_port);
        if (meta.report.collected) {
            tell_words();
            truncate((bit<32>)ETHERNET_BYTES + (bit<32>)hdr.report_ipv4.total_len);
        } else {
            mark_to_drop(standard_metadata);
        }
    }
}  /* edge_report */

#endif  /* MODEL_EDGE_COPIES_P4 */
