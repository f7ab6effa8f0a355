#ifndef MODEL_EDGE_COPIES_P4
#define MODEL_EDGE_COPIES_P4

#include "hpcc_edge_headers.p4"
#include "common/config.p4"
#include "edge_checksums.p4"
#include "../target/int_checksum.p4"
#include "tofino/blocks/hpcc-edge/int_strip_decision.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_sink.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_report.p4"

/*
 * The sink, which keeps for the copy what it takes out. A packet with D ends here; its copy does
 * not.
 */
control edge_sink(inout headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    int_strip_decision() decision;
    @name(".egress.sink") tofino_int_sink() sink;
    int_checksum() flags;
    model_whole_strip() strip;

    action keep_for_report() {
        hdr.taken_shim = hdr.int_shim;
        hdr.taken_md = hdr.int_md;
        hdr.taken_stack = hdr.int_stack;
        meta.sink.ingress_port = (bit<16>)meta.departure.ingress_port;
        meta.sink.egress_port = (bit<16>)meta.departure.egress_port;
        meta.sink.queue_id = meta.departure.queue_id;
        meta.sink.dscp = hdr.ipv4.isValid() ? hdr.ipv4.dscp : hdr.ipv6.dscp;
        meta.sink.ip_length = hdr.ipv4.isValid() ? hdr.ipv4.total_len : hdr.ipv6.payload_length;
        meta.sink.udp_length = hdr.udp.length;
        meta.sink.checksum = hdr.udp.isValid() ? hdr.udp.checksum : hdr.tcp.checksum;
    }

    /* The source of this switch has looked at the lengths. */
    action trust_own_lengths() {
        meta.strip.fits = true;
    }

    apply {
        meta.strip.wanted = false;
        meta.strip.restores = false;
        meta.strip.reports = false;
        if (hdr.int_stack.isValid() || meta.excess.adds) {
            session_t session;
            decision.apply(hdr, meta);
            if (meta.excess.adds) {
                trust_own_lengths();
            }
            sink.apply(hdr, meta, standard_metadata.egress_port, session);
            if (meta.strip.restores && meta.strip.fits) {
                meta.sink.has_hop = meta.telemetry.push;
                meta.telemetry.push = false;
                /* A flag that the admission has just set is part of what is taken out. */
                flags.apply(hdr, meta);
                keep_for_report();
                strip.apply(hdr, meta);
                if (hdr.taken_md.d == 1) {
                    mark_to_drop(standard_metadata);
                }
                if (meta.strip.reports) {
                    clone_preserving_field_list(CloneType.E2E, session, REPORT_FIELDS);
                }
            }
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

    /* The chip's report does not tell that the packet matched a watchlist. */
    action tell_flow() {
        hdr.report.tracked = 1;
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
            tell_flow();
            tell_words();
            truncate((bit<32>)ETHERNET_BYTES + (bit<32>)hdr.report_ipv4.total_len);
        } else {
            mark_to_drop(standard_metadata);
        }
    }
}  /* edge_report */

#endif  /* MODEL_EDGE_COPIES_P4 */
