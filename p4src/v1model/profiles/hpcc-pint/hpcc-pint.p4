/*
 * HPCC-PINT switch for v1model: each port filters its load, and one byte of a packet tells that of
 * the fullest link on its path. This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_pint_headers.p4"
#include "hpcc_pint_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "hpcc_pint_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "port_load.p4"
#include "load_digest.p4"

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
    telemetry_snapshot() snapshot;
    port_load() load;
    load_digest() digest;

    apply {
        port.apply(meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        load.apply(meta, standard_metadata);
        digest.apply(hdr, meta);
    }
}

@pkginfo(name = "hpcc-pint", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
