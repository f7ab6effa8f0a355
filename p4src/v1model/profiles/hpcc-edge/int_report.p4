#ifndef INT_REPORT_P4
#define INT_REPORT_P4

#include "common/ids.p4"
#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * Makes a Telemetry Report v2.0 of a clone that the sink asked for: the own hop as metadata (report
 * type 1; type 0 where this node could not serve the instructions), then the packet from its IP
 * header on as it was before the sink stripped it, with the stack of all nodes before, cut to what
 * the collector wants. The port of the clone session tells the collector.
 */
control int_report(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    register<bit<32>>(PORT_COUNT) sequences;
    bit<16> inner_limit;

    @id(SET_COLLECTOR_ACTION_ID)
    action set_collector(mac_t dst_mac, mac_t src_mac,
                         ipv4_addr_t src_addr, ipv4_addr_t dst_addr,
                         bit<16> src_port, bit<16> dst_port,
                         bit<32> node_id, bit<6> hw_id, bit<16> inner_bytes) {
        bit<32> sequence;
        sequences.read(sequence, (bit<32>)standard_metadata.egress_port);
        sequences.write((bit<32>)standard_metadata.egress_port, sequence + 1);
        hdr.ethernet = { dst_mac, src_mac, ETHERTYPE_IPV4 };
        hdr.report_ipv4.setValid();
        hdr.report_ipv4 = { 4, 5, 0, 0, 0, 0, 2, 0, 64, PROTOCOL_UDP, 0, src_addr, dst_addr };
        hdr.report_udp.setValid();
        hdr.report_udp = { src_port, dst_port, 0, 0 };
        hdr.report.setValid();
        hdr.report.version = 2;
        hdr.report.hw_id = hw_id;
        hdr.report.sequence = sequence[21:0];
        hdr.report.node_id = node_id;
        /* Telemetry in a packet says that it matched a watchlist, here or at another source. */
        hdr.report.tracked = 1;
        inner_limit = inner_bytes;
    }

    @id(NO_COLLECTOR_ACTION_ID)
    action no_collector() {
        mark_to_drop(standard_metadata);
    }

    @id(COLLECTOR_TABLE_ID)
    table collector {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_collector; no_collector; }
        const default_action = no_collector;
        size = PORT_COUNT;
    }

    /* The packet as it came to the sink. */
    action restore() {
        hdr.int_shim = hdr.taken_shim;
        hdr.int_md = hdr.taken_md;
        hdr.int_stack = hdr.taken_stack;
        hdr.taken_shim.setInvalid();
        hdr.taken_md.setInvalid();
        hdr.taken_stack.setInvalid();
        hdr.ipv4.dscp = meta.sink.dscp;
        hdr.ipv4.total_len = meta.sink.ip_length;
        hdr.ipv6.dscp = meta.sink.dscp;
        hdr.ipv6.payload_length = meta.sink.ip_length;
        hdr.udp.length = meta.sink.udp_length;
        hdr.udp.checksum = meta.sink.checksum;
        hdr.tcp.checksum = meta.sink.checksum;
    }

    action add_hop() {
        hdr.report.report_type = 1;
        hdr.report.md_length = INT_HOP_WORDS - 1;
        hdr.report_int.setValid();
        hdr.report_int = { INT_INSTRUCTIONS & 0x7FFE, INT_DOMAIN_ID, INT_DS_INSTRUCTIONS, 0 };
        hdr.report_hop.setValid();
        hdr.report_hop = { meta.sink.ingress_port, meta.sink.egress_port, meta.sink.queue_id,
                           meta.snapshot.queue_bytes, meta.snapshot.timestamp_ns,
                           meta.snapshot.tx_bytes, meta.port.capacity_mbps };
    }

    apply {
        inner_limit = 0;
        if (collector.apply().hit) {
            restore();
            bit<16> report_bytes = REPORT_BYTES;
            if (meta.sink.has_hop) {
                add_hop();
                report_bytes = REPORT_BYTES + REPORT_HOP_BYTES;
            }
            bit<16> inner_bytes = hdr.ipv4.total_len;
            hdr.report.inner_type = 4;
            if (hdr.ipv6.isValid()) {
                hdr.report.inner_type = 5;
                inner_bytes = hdr.ipv6.payload_length + IPV6_BYTES;
            }
            if (inner_bytes > inner_limit) {
                inner_bytes = inner_limit;
            }
            /* Words, if it is a whole number of them and fits into the field. */
            bit<16> rest_bytes = report_bytes - REPORT_BYTES + inner_bytes;
            hdr.report.report_length =
                rest_bytes[1:0] == 0 && rest_bytes < 1020 ? rest_bytes[9:2] : 8w255;
            hdr.report_udp.length = UDP_BYTES + report_bytes + inner_bytes;
            hdr.report_ipv4.total_len = IPV4_BYTES + hdr.report_udp.length;
            truncate((bit<32>)ETHERNET_BYTES + (bit<32>)hdr.report_ipv4.total_len);
        }
    }
}  /* int_report */

#endif  /* INT_REPORT_P4 */
