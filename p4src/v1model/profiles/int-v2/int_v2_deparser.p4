#ifndef INT_V2_DEPARSER_P4
#define INT_V2_DEPARSER_P4

#include "int_v2_headers.p4"
#include "v1model/blocks/checksums.p4"

/*
 * Updates the checksums of the packet and of the report around it; what ingress has dropped is
 * reported with the checksum that it came with.
 */
control report_checksum_update(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5 && !meta.report.dropped,
                        IPV4_CHECKSUM_FIELDS, hdr.ipv4.checksum, HashAlgorithm.csum16);
        update_checksum(hdr.report_ipv4.isValid(),
                        { hdr.report_ipv4.version, hdr.report_ipv4.ihl, hdr.report_ipv4.dscp,
                          hdr.report_ipv4.ecn, hdr.report_ipv4.total_len,
                          hdr.report_ipv4.identification, hdr.report_ipv4.flags,
                          hdr.report_ipv4.frag_offset, hdr.report_ipv4.ttl,
                          hdr.report_ipv4.protocol, hdr.report_ipv4.src_addr,
                          hdr.report_ipv4.dst_addr },
                        hdr.report_ipv4.checksum, HashAlgorithm.csum16);
    }
}

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.report_ipv4);
        packet.emit(hdr.report_udp);
        packet.emit(hdr.report);
        packet.emit(hdr.report_int);
        packet.emit(hdr.reported_interfaces);
        packet.emit(hdr.reported_latency);
        packet.emit(hdr.reported_queue);
        packet.emit(hdr.reported_ingress_time);
        packet.emit(hdr.reported_egress_time);
        packet.emit(hdr.reported_interfaces2);
        packet.emit(hdr.reported_utilization);
        packet.emit(hdr.reported_buffer);
        packet.emit(hdr.reported_drop);
        packet.emit(hdr.reported_tx_bytes);
        packet.emit(hdr.reported_capacity);
        packet.emit(hdr.reported_queue_bytes);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.marker);
        packet.emit(hdr.vxlan);
        packet.emit(hdr.geneve);
        packet.emit(hdr.gre);
        packet.emit(hdr.gre_checksum);
        packet.emit(hdr.gre_words);
        packet.emit(hdr.geneve_option);
        packet.emit(hdr.shim);
        packet.emit(hdr.int_header);
        packet.emit(hdr.own_node_id);
        packet.emit(hdr.own_interfaces);
        packet.emit(hdr.own_latency);
        packet.emit(hdr.own_queue);
        packet.emit(hdr.own_ingress_time);
        packet.emit(hdr.own_egress_time);
        packet.emit(hdr.own_interfaces2);
        packet.emit(hdr.own_utilization);
        packet.emit(hdr.own_buffer);
        packet.emit(hdr.own_ones1);
        packet.emit(hdr.own_ones2);
        packet.emit(hdr.own_ones4);
        packet.emit(hdr.own_ones8);
        packet.emit(hdr.own_ones16);
        packet.emit(hdr.own_tx_bytes);
        packet.emit(hdr.own_capacity);
        packet.emit(hdr.own_queue_bytes);
        packet.emit(hdr.own_complement);
        packet.emit(hdr.int_stack);
        packet.emit(hdr.inner_ipv4);
        packet.emit(hdr.inner_ipv6);
        packet.emit(hdr.inner_udp);
        packet.emit(hdr.inner_tcp);
        packet.emit(hdr.inner_tcp_options);
    }
}

#endif  /* INT_V2_DEPARSER_P4 */
