#ifndef HPCC_CCM_DEPARSER_P4
#define HPCC_CCM_DEPARSER_P4

#include "hpcc_ccm_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ccm_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.notification);
        packet.emit(hdr.notification_ipv4);
        packet.emit(hdr.notification_ipv6);
        packet.emit(hdr.notification_mac);
    }
}

#endif  /* HPCC_CCM_DEPARSER_P4 */
