/*
 * HPCC++ transit switch for v1model made of the blocks that Tofino runs, with its widths: for tests
 * of what no chip is here to show. Routing is that of ../../hpcc.p4.
 */
#include <core.p4>
#include <v1model.p4>

#include "../../config.p4"
#include "../../types.p4"
#include "packet.p4"
#include "target.p4"
#include "parser.p4"
#include "../../checksums.p4"
#include "../../deparser.p4"

#include "arrival.p4"
#include "../../blocks/port_telemetry.p4"
#include "int_checksum.p4"
#include "../../portable/telemetry_node.p4"

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
    departure() left;
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
