/*
 * HPCC++ transit switch for v1model made of the blocks that Tofino runs, with its widths: for tests
 * of what no chip is here to show. Routing is that of ../../hpcc.p4.
 */
#include <core.p4>
#include <v1model.p4>

#include "../../config.p4"
#include "../../types.p4"
#include "packet.p4"
#include "../../parser.p4"
#include "../../checksums.p4"
#include "../../deparser.p4"

#include "target.p4"
#include "../../blocks/admit_and_route.p4"
#include "../../blocks/port_telemetry.p4"
#include "../../portable/int_admission.p4"
#include "../../portable/telemetry_snapshot.p4"
#include "../../portable/int_transit.p4"
#include "int_checksum.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    departure() left;
    int_admission() admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_checksum() checksum;

    apply {
        bit<16> flags_before = hdr.int_md.version ++ hdr.int_md.d ++ hdr.int_md.e ++
                               hdr.int_md.m ++ hdr.int_md.reserved[11:3];
        port.apply(meta, standard_metadata);
        left.apply(meta, standard_metadata);
        admission.apply(hdr, meta);
        snapshot.apply(meta);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta, flags_before);
    }
}

V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
