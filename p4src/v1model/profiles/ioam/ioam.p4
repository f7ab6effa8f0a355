/*
 * HPCC++ switch that is an IOAM node: it fills its slot of a pre-allocated trace in the hop-by-hop
 * options of IPv6, reports packets that ask for direct export, and puts packets that are watched
 * into an outer packet with a trace. Behind NSH, on service paths, it adds to incremental traces,
 * begins them, and takes them out. This file is the table of contents.
 */
#include <core.p4>
#include <v1model.p4>

/* ECMP looks through the hop-by-hop header: IOAM must not change a packet's path (RFC 9486). */
#define ECMP_IPV6_PROTOCOL meta.ioam.flow_protocol

/* Bytes that this node adds to the packet, or takes out, for the byte counter. */
#define INT_HOP_BYTES ((bit<64>)meta.ioam.added_bytes - (bit<64>)meta.nsh.removed_bytes)

#include "common/config.p4"
#include "common/types.p4"
#include "ioam_headers.p4"
#include "ioam_parser.p4"
#include "v1model/blocks/checksums.p4"
#include "ioam_deparser.p4"

#include "v1model/blocks/admit_and_route.p4"
#include "ipv6_option_rules.p4"
#include "nsh_classifier.p4"
#include "nsh_forwarder.p4"
#include "common/port_telemetry.p4"
#include "ioam_source.p4"
#include "ioam_namespace.p4"
#include "ioam_admission.p4"
#include "v1model/blocks/telemetry_snapshot.p4"
#include "ioam_transit.p4"
#include "dex_watch.p4"
#include "nsh_end.p4"
#include "dex_report.p4"

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    @name(".ingress") admit_and_route(IOAM_DROP_CAUSES) forwarding;
    ipv6_option_rules() options;
    nsh_classifier() classifier;
    nsh_forwarder() paths;

    apply {
        if (!hdr.nsh.isValid()) {
            bit<32> refusal;
            options.apply(meta, refusal);
            forwarding.apply(hdr, meta, standard_metadata, refusal);
            if (meta.route.found) {
                classifier.apply(hdr, meta, standard_metadata);
            }
        }
        if (hdr.nsh.isValid()) {
            paths.apply(hdr, meta, standard_metadata);
        }
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    port_telemetry() port;
    ioam_source() source;
    ioam_namespace() namespace;
    nsh_end_decision() decision;
    ioam_admission() admission;
    telemetry_snapshot() snapshot;
    ioam_transit() transit;
    nsh_end() end;
    dex_watch() dex;
    dex_report() report;

    apply {
        if (standard_metadata.instance_type == INSTANCE_EGRESS_CLONE) {
            report.apply(hdr, meta, standard_metadata);
        } else {
            port.apply(meta, standard_metadata);
            source.apply(hdr, meta);
            namespace.apply(hdr, meta, standard_metadata);
            decision.apply(hdr, meta);
            admission.apply(hdr, meta, standard_metadata);
            snapshot.apply(meta, standard_metadata);
            transit.apply(hdr, meta, standard_metadata);
            end.apply(hdr, meta);
            dex.apply(hdr, meta, standard_metadata);
        }
    }
}

@pkginfo(name = "ioam", version = API_VERSION)
V1Switch(packet_parser(),
         checksum_verification(),
         ingress(),
         egress(),
         checksum_update(),
         packet_deparser()) main;
