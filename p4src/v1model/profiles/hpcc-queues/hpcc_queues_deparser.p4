#ifndef HPCC_QUEUES_DEPARSER_P4
#define HPCC_QUEUES_DEPARSER_P4

#include "queue_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.int_wide_hop);
    }
}

#endif  /* HPCC_QUEUES_DEPARSER_P4 */
