#ifndef PADDING_DEPARSER_P4
#define PADDING_DEPARSER_P4

#include "common/padding_format.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.padding);
        packet.emit(hdr.padding_older);
        packet.emit(hdr.padding_hop);
    }
}

#endif  /* PADDING_DEPARSER_P4 */
