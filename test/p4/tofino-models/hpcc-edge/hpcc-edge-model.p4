/*
 * HPCC++ edge switch for v1model made of the blocks that Tofino runs, with its widths: for tests of
 * what no chip is here to show. Routing is that of the profile hpcc-edge.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"
#include "hpcc_edge_headers.p4"
#include "../target/model_target.p4"
#include "hpcc_edge_parser.p4"
#include "v1model/profiles/hpcc-edge/hpcc_edge_deparser.p4"

#include "../target/arrival.p4"
#include "tofino/blocks/tofino_int_admission.p4"
#include "tofino/blocks/hpcc-edge/read_dscp.p4"
#include "tofino/blocks/hpcc-edge/int_strip_decision.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_trust.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_watch.p4"
#include "common/port_telemetry.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_source.p4"
#include "tofino/blocks/tofino_telemetry_snapshot.p4"
#include "tofino/blocks/tofino_int_transit.p4"
#include "../target/int_checksum.p4"
#include "edge_checksums.p4"
#include "edge_copies.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") arrival() forwarding;
    read_dscp() dscp;
    int_headroom() rooms;
    int_strip_decision() decision;
    tofino_int_trust() trust;
    marked_checksum() marked;
    model_whole_strip() strip;
    tofino_int_watch() watch;

    apply {
        forwarding.apply(hdr, meta, standard_metadata);
        if (meta.route.found) {
            dscp.apply(hdr, meta);
            meta.strip.fits = false;
            meta.strip.wanted = false;
            if (hdr.int_stack.isValid()) {
                rooms.apply(hdr, meta);
                decision.apply(hdr, meta);
            }
            trust.apply(hdr, meta, standard_metadata.ingress_port);
            marked.apply(hdr, meta);
            if (meta.strip.wanted && meta.strip.fits) {
                strip.apply(hdr, meta);
            }
            watch.apply(hdr, meta);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    model_departure() left;
    edge_sink_choice() choice;
    tofino_int_source() source;
    source_checksum() added;
    int_flags() flags;
    tofino_int_admission() admission;
    edge_sink() sink;
    tofino_telemetry_snapshot() snapshot;
    tofino_int_transit() transit;
    int_checksum() checksum;
    edge_report() report;

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE) {
            report.apply(hdr, meta, standard_metadata);
        } else {
            port.apply(meta, standard_metadata);
            left.apply(meta, standard_metadata);
            session_t session;
            choice.apply(hdr, meta, standard_metadata, session);
            source.apply(hdr, meta);
            added.apply(hdr, meta);
            flags.apply(hdr, meta);
            admission.apply(hdr, meta);
            sink.apply(hdr, meta, standard_metadata, session);
            snapshot.apply(meta);
            transit.apply(hdr, meta);
            checksum.apply(hdr, meta);
        }
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         edge_checksum_update(),
         packet_deparser()) main;
