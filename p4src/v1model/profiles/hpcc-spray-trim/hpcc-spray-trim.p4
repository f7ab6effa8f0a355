/*
 * HPCC++ switch for v1model that chooses a path for each packet, as hpcc-spray.p4, and trims it
 * where the queue of that path is too long, as hpcc-trim.p4. bmv2 needs --priority-queues 8.
 */
#include <core.p4>
#include <v1model.p4>

#include "common/config.p4"
#include "common/types.p4"
#include "hpcc_spray_trim_headers.p4"
#include "v1model/profiles/hpcc-queues/queue_lengths.p4"
#include "v1model/blocks/packet_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "v1model/profiles/hpcc/hpcc_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "v1model/profiles/hpcc-spray/path_spray.p4"
#include "v1model/profiles/hpcc-trim/packet_trim.p4"
#include "v1model/profiles/hpcc-trim/trimmed_departure.p4"
#include "common/port_telemetry.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "v1model/blocks/int_transit.p4"
#include "v1model/profiles/hpcc-queues/ecn_mark.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(DROP_CAUSES) forwarding;
    path_spray(waiting_at_port) spray;
    packet_trim() trim;
    queue_arrival() arrival;

    apply {
        forwarding.apply(hdr, meta, standard_metadata, NOT_REFUSED);
        if (meta.route.found) {
            bit<32> bytes;
            spray.apply(hdr, meta, standard_metadata);
            trim.apply(hdr, standard_metadata, bytes);
            arrival.apply(meta, standard_metadata, bytes);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    queue_departure() departure;
    trimmed_length() length;
    int_admission(INT_INSTRUCTIONS, INT_DS_INSTRUCTIONS, INT_HOP_WORDS) admission;
    telemetry_snapshot() snapshot;
    port_queues() queues;
    int_transit() transit;
    ecn_mark() ecn;
    trimmed_end() end;

    apply {
        bool is_trimmed;
        port.apply(meta, standard_metadata);
        departure.apply(meta, standard_metadata);
        length.apply(hdr, meta, standard_metadata, is_trimmed);
        admission.apply(hdr, meta, standard_metadata);
        snapshot.apply(meta, standard_metadata);
        queues.apply(meta);
        transit.apply(hdr, meta, standard_metadata);
        ecn.apply(hdr, meta, standard_metadata);
        if (is_trimmed) {
            end.apply(meta, standard_metadata);
        }
    }
}

@pkginfo(name = "hpcc-spray-trim", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
