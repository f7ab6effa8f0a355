#ifndef TOFINO_HPCC_DEPARSERS_P4
#define TOFINO_HPCC_DEPARSERS_P4

#include "hpcc_headers.p4"
#include "tofino/target/ingress_deparser.p4"
#include "tofino/target/telemetry_checksums.p4"

control egress_deparser(EGRESS_DEPARSER_PARAMETERS) {
    telemetry_checksums() checksums;

    apply {
        checksums.apply(hdr, meta);
        packet.emit(hdr);
    }
}

#endif  /* TOFINO_HPCC_DEPARSERS_P4 */
