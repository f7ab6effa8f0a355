#ifndef IFA_DEPARSER_P4
#define IFA_DEPARSER_P4

#include "ifa_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.ifa);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.ifa_metadata);
        packet.emit(hdr.ifa_hop);
    }
}

#endif  /* IFA_DEPARSER_P4 */
