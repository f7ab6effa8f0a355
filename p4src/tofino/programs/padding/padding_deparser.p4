#ifndef TOFINO_PADDING_DEPARSER_P4
#define TOFINO_PADDING_DEPARSER_P4

#include "padding_headers.p4"
#include "tofino/target/ingress_deparser.p4"

/* Checksums by difference, as deparsers.p4 keeps them. */
control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    ipv4_checksum() ip;
    Checksum() udp_checksum;

    apply {
        ip.apply(hdr, meta);
        if (meta.target.renews_udp == 1) {
            hdr.udp.checksum = udp_checksum.update({
                hdr.udp.length, hdr.udp.length, hdr.padding, hdr.padding_hop,
                meta.target.l4_rest }, true);
        }
        packet.emit(hdr);
    }
}

#endif  /* TOFINO_PADDING_DEPARSER_P4 */
