#ifndef CSIG_DEPARSER_P4
#define CSIG_DEPARSER_P4

#include "csig_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.csig);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
    }
}

#endif  /* CSIG_DEPARSER_P4 */
