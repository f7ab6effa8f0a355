/*
 * HPCC++ transit switch for v1model made of the blocks that Tofino runs, with its widths: for tests
 * of what no chip is here to show. Routes are those of the profile hpcc.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_headers.p4"
#include "../target/model_target.p4"
#include "hpcc_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "../target/arrival.p4"
#include "common/port_telemetry.p4"
#include "../target/int_checksum.p4"
#include "tofino/blocks/telemetry_node.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") arrival() forwarding;

    apply {
        forwarding.apply(hdr, meta, standard_metadata);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    model_departure() left;
    int_flags() flags;
    @name(".egress") telemetry_node() node;

    apply {
        flags.apply(hdr, meta);
        port.apply(meta, standard_metadata);
        left.apply(meta, standard_metadata);
        node.apply(hdr, meta);
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
