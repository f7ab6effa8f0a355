#ifndef PACKET_COPY_P4
#define PACKET_COPY_P4

#include "../int_v2_metadata.p4"

/*
 * Keeps the headers of a packet as they came to egress, for a report of it: only the clone shows
 * them, and what is kept is never emitted.
 */
control packet_keeping(inout headers_t hdr) {
    apply {
        hdr.kept_ipv4 = hdr.ipv4;
        hdr.kept_ipv6 = hdr.ipv6;
        hdr.kept_udp = hdr.udp;
        hdr.kept_tcp = hdr.tcp;
        hdr.kept_tcp_options = hdr.tcp_options;
        hdr.kept_marker = hdr.marker;
        hdr.kept_vxlan = hdr.vxlan;
        hdr.kept_geneve = hdr.geneve;
        hdr.kept_gre = hdr.gre;
        hdr.kept_gre_checksum = hdr.gre_checksum;
        hdr.kept_gre_words = hdr.gre_words;
        hdr.kept_geneve_option = hdr.geneve_option;
        hdr.kept_shim = hdr.shim;
        hdr.kept_int_header = hdr.int_header;
        hdr.kept_int_stack = hdr.int_stack;
    }
}  /* packet_keeping */

/* In the clone of a packet that has been kept: the packet again, without what was added to it. */
control packet_restoration(inout headers_t hdr) {
    action restore() {
        hdr.ipv4 = hdr.kept_ipv4;
        hdr.ipv6 = hdr.kept_ipv6;
        hdr.udp = hdr.kept_udp;
        hdr.tcp = hdr.kept_tcp;
        hdr.tcp_options = hdr.kept_tcp_options;
        hdr.marker = hdr.kept_marker;
        hdr.vxlan = hdr.kept_vxlan;
        hdr.geneve = hdr.kept_geneve;
        hdr.gre = hdr.kept_gre;
        hdr.gre_checksum = hdr.kept_gre_checksum;
        hdr.gre_words = hdr.kept_gre_words;
        hdr.geneve_option = hdr.kept_geneve_option;
        hdr.shim = hdr.kept_shim;
        hdr.int_header = hdr.kept_int_header;
        hdr.int_stack = hdr.kept_int_stack;
    }

    action drop_inner() {
        hdr.inner_ipv4.setInvalid();
        hdr.inner_ipv6.setInvalid();
        hdr.inner_udp.setInvalid();
        hdr.inner_tcp.setInvalid();
        hdr.inner_tcp_options.setInvalid();
    }

    action drop_own_block() {
        hdr.own_node_id.setInvalid();
        hdr.own_interfaces.setInvalid();
        hdr.own_latency.setInvalid();
        hdr.own_queue.setInvalid();
        hdr.own_ingress_time.setInvalid();
        hdr.own_egress_time.setInvalid();
        hdr.own_interfaces2.setInvalid();
        hdr.own_utilization.setInvalid();
        hdr.own_buffer.setInvalid();
        hdr.own_ones1.setInvalid();
        hdr.own_ones2.setInvalid();
        hdr.own_ones4.setInvalid();
        hdr.own_ones8.setInvalid();
        hdr.own_ones16.setInvalid();
        hdr.own_tx_bytes.setInvalid();
        hdr.own_capacity.setInvalid();
        hdr.own_queue_bytes.setInvalid();
        hdr.own_complement.setInvalid();
    }

    apply {
        restore();
        drop_inner();
        drop_own_block();
    }
}  /* packet_restoration */

#endif  /* PACKET_COPY_P4 */
