#ifndef TOFINO_PADDING_DEPARSER_P4
#define TOFINO_PADDING_DEPARSER_P4

#include "padding_headers.p4"
#include "tofino/target/ingress_deparser.p4"

/* The checksum as telemetry_checksums.p4 keeps it. */
control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    Checksum() udp_checksum;

    apply {
        if (meta.target.renews_udp == 1) {
            hdr.udp.checksum = udp_checksum.update({
                hdr.udp.length, hdr.udp.length, hdr.padding, hdr.padding_hop,
                meta.target.l4_rest }, true);
        }
        packet.emit(hdr);
    }
}

#endif  /* TOFINO_PADDING_DEPARSER_P4 */
