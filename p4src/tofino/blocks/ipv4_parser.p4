#ifndef TOFINO_IPV4_PARSER_P4
#define TOFINO_IPV4_PARSER_P4

#include "common/config.p4"
#include "common/headers.p4"

/*
 * The first 14 bits of an IPv4 header without options and with the DSCP of INT: programs look at
 * them before the header leaves the window of the parser, and sums are complete.
 */
const bit<14> IPV4_WITH_INT = 8w0x45 ++ (bit<6>)INT_DSCP;

/* The header, of which a target may verify the checksum (`VERIFY_IPV4`). */
parser ipv4_parser(packet_in packet, inout headers_t hdr, inout metadata_t meta) {
    SUM(verification)

    state start {
        packet.extract(hdr.ipv4);
        VERIFY_IPV4(verification);
        transition accept;
    }
}

#endif  /* TOFINO_IPV4_PARSER_P4 */
