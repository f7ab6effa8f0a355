#ifndef TNA_DEPARSERS_P4
#define TNA_DEPARSERS_P4

#include "packet.p4"
#include "ingress_deparser.p4"
#include "telemetry_checksums.p4"

control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    telemetry_checksums() checksums;

    apply {
        checksums.apply(hdr, meta);
        packet.emit(hdr);
    }
}

#endif  /* TNA_DEPARSERS_P4 */
