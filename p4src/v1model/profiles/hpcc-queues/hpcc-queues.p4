/*
 * HPCC++ switch with several queues per port for v1model: as hpcc.p4, and classes by DSCP, lengths
 * of queue and port and the time in the queue as telemetry, shares by weight, and ECN. bmv2 needs
 * --priority-queues 8, and has no weights.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_queues_headers.p4"
#include "queue_lengths.p4"
#include "v1model/blocks/packet_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "hpcc_queues_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "queue_class.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "int_wide.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "queue_share.p4"
#include "ecn_mark.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    queue_class() class;
    queue_arrival() arrival;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
        if (meta.route.found) {
            class.apply(hdr, standard_metadata);
            arrival.apply(meta, standard_metadata, standard_metadata.packet_length);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    queue_departure() departure;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    int_wide_admission() wide_admission;
    telemetry_snapshot() snapshot;
    queue_telemetry() queue;
    queue_share() share;
    int_transit() transit;
    int_wide_transit() wide_transit;
    ecn_mark() ecn;

    apply {
        port.apply(meta, standard_metadata);
        departure.apply(meta, standard_metadata);
        if (hdr.int_md.isValid() && hdr.int_md.hop_words == INT_WIDE_HOP_WORDS) {
            wide_admission.apply(hdr, meta, standard_metadata);
        } else {
            admission.apply(hdr, meta, standard_metadata);
        }
        snapshot.apply(meta, standard_metadata);
        queue.apply(meta);
        share.apply(meta, standard_metadata);
        transit.apply(hdr, meta, standard_metadata);
        wide_transit.apply(hdr, meta, standard_metadata);
        ecn.apply(hdr, meta, standard_metadata);
    }
}

@pkginfo(name = "hpcc-queues", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
