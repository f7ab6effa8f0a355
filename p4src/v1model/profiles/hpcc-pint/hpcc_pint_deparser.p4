#ifndef HPCC_PINT_DEPARSER_P4
#define HPCC_PINT_DEPARSER_P4

#include "hpcc_pint_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.shim);
    }
}

#endif  /* HPCC_PINT_DEPARSER_P4 */
