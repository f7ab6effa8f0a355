#ifndef INT_V2_DEPARSER_P4
#define INT_V2_DEPARSER_P4

#include "int_v2_headers.p4"
#include "v1model/blocks/checksums.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
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
