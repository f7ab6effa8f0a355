#ifndef PACKET_PARSER_P4
#define PACKET_PARSER_P4

#include "int_parser.p4"

/*
 * Ethernet / IPv4 or IPv6 / UDP or TCP with options / INT shim / INT-MD header. Whatever does not
 * follow stays payload and is forwarded as it came: IPv4 options, IPv6 extension headers,
 * fragments, other transports, INT versions of another layout.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    int_parser() telemetry;

    state start {
        packet.extract(hdr.ethernet);
        ip.apply(packet, hdr, meta, hdr.ethernet.ether_type);
        telemetry.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* PACKET_PARSER_P4 */
