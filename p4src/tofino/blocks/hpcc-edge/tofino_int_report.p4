#ifndef TOFINO_INT_REPORT_P4
#define TOFINO_INT_REPORT_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "edge_metadata.p4"
#include "report_lengths.p4"
#include "report_sequence.p4"

/*
 * Makes a Telemetry Report v2.0 of a copy: with `report_hop` in it as metadata (report type 1) or
 * none (type 0), then the packet from its IP header on, of which the collector gets at most
 * `inner_bytes`. `meta.report.collected` says that the port has a collector.
 */
control tofino_int_report(inout headers_t hdr, inout metadata_t meta, in port_t egress_port) {
    report_sequence() sequence;
    report_lengths() lengths;

    action set_collector(mac_t dst_mac, mac_t src_mac,
                         ipv4_addr_t src_addr, ipv4_addr_t dst_addr,
                         bit<16> src_port, bit<16> dst_port,
                         bit<32> node_id, bit<6> hw_id, bit<16> inner_bytes) {
        meta.report.collected = true;
        meta.report.inner_limit = inner_bytes;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ethernet.ether_type = ETHERTYPE_IPV4;
        hdr.report_ipv4.setValid();
        hdr.report_ipv4 = { 4, 5, 0, 0, 0, 0, 2, 0, 64, PROTOCOL_UDP, 0, src_addr, dst_addr };
        hdr.report_udp.setValid();
        hdr.report_udp = { src_port, dst_port, 0, 0 };
        hdr.report.setValid();
        hdr.report.version = 2;
        hdr.report.hw_id = hw_id;
        hdr.report.node_id = node_id;
        hdr.report.report_type = 0;
        hdr.report.report_length = 255;
        hdr.report.md_length = 0;
        hdr.report.dropped = 0;
        hdr.report.congested = 0;
        /* Telemetry, or an own hop for it, says that the packet matched a watchlist. */
        hdr.report.tracked = 1;
        hdr.report.intermediate = 0;
        hdr.report.reserved = 0;
    }

    action no_collector() {
        meta.report.collected = false;
    }

    table collector {
        key = { egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_collector; no_collector; }
        const default_action = no_collector;
        size = PORT_COUNT;
    }

    action describe_ipv4() {
        hdr.report.inner_type = 4;
    }

    action describe_ipv6() {
        hdr.report.inner_type = 5;
        meta.report.inner_bytes = meta.report.inner_bytes + IPV6_BYTES;
    }

    action measure_ipv4() {
        @in_hash { meta.report.inner_bytes = hdr.ipv4.total_len; }
    }

    action measure_ipv6() {
        @in_hash { meta.report.inner_bytes = hdr.ipv6.payload_length; }
    }

    action add_hop() {
        hdr.report.report_type = 1;
        hdr.report.md_length = INT_HOP_WORDS - 1;
        hdr.report_int.setValid();
        hdr.report_int = { INT_INSTRUCTIONS & 0x7FFE, INT_DOMAIN_ID, INT_DS_INSTRUCTIONS, 0 };
        meta.report.hop_bytes = REPORT_HOP_BYTES;
    }

    action number() {
        hdr.report.sequence = meta.report.sequence[21:0];
    }

    apply {
        meta.report.inner_limit = 0;
        meta.report.hop_bytes = 0;
        collector.apply();
        if (meta.report.collected) {
            sequence.apply(egress_port, meta.report.sequence);
            number();
            if (hdr.ipv6.isValid()) {
                measure_ipv6();
            } else {
                measure_ipv4();
            }
            if (hdr.ipv6.isValid()) {
                describe_ipv6();
            } else {
                describe_ipv4();
            }
            if (hdr.report_hop.isValid()) {
                add_hop();
            }
            lengths.apply(hdr, meta);
        }
    }
}  /* tofino_int_report */

#endif  /* TOFINO_INT_REPORT_P4 */
