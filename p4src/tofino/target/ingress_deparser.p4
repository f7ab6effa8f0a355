#ifndef TOFINO_INGRESS_DEPARSER_P4
#define TOFINO_INGRESS_DEPARSER_P4

#include "ipv4_checksum.p4"

/* All headers there are, in the order of the struct. */
control ingress_deparser(INGRESS_DEPARSER_PARAMETERS) {
    ipv4_checksum() checksum;

    apply {
        checksum.apply(hdr, meta);
        packet.emit(hdr);
    }
}  /* ingress_deparser */

#endif  /* TOFINO_INGRESS_DEPARSER_P4 */
