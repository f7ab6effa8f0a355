/*
 * HPCC++ switch that trims, for v1model, made of the blocks that Tofino runs, with its widths: for
 * tests of what no chip is here to show. What Tofino's traffic manager and mirror do, it does
 * itself.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_trim_headers.p4"
#include "../target/model_target.p4"
#include "hpcc_trim_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "../target/arrival.p4"
#include "common/port_telemetry.p4"
#include "../target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"
#include "tofino/blocks/hpcc-trim/trim_limits.p4"
#include "tofino/blocks/hpcc-trim/tofino_packet_trim.p4"
#include "tofino/blocks/hpcc-trim/tofino_cut_departure.p4"
#include "traffic_manager.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") arrival() forwarding;
    trim_limits() limits;
    tofino_packet_trim() trim;
    model_queue_arrival() queue;

    apply {
        forwarding.apply(hdr, meta, standard_metadata);
        if (meta.route.found) {
            limits.apply(hdr, meta);
            trim.apply(hdr, meta, standard_metadata.ingress_port,
                       standard_metadata.egress_spec);
            queue.apply(hdr, meta, standard_metadata);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    model_queue_departure() queue;
    model_departure() left;
    tofino_cut_departure() trim;
    int_flags() flags;
    @name(".egress") telemetry_node() node;

    apply {
        queue.apply(hdr, meta, standard_metadata);
        flags.apply(hdr, meta);
        port.apply(meta, standard_metadata);
        left.apply(meta, standard_metadata);
        /* v1model counts the bridge, a chip does not. */
        meta.departure.frame_bytes = meta.departure.frame_bytes - BRIDGE_BYTES;
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE) {
            trim.apply(hdr, meta);
        }
        node.apply(hdr, meta);
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE && !meta.telemetry.push) {
            truncate((bit<32>)hdr.bridge.frame_bytes);
        }
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
