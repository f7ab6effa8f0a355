#ifndef TNA_PARSERS_P4
#define TNA_PARSERS_P4

#include "packet.p4"
#include "ingress_parser.p4"
#include "telemetry_parser.p4"

/* Behind the bridge. */
parser egress_parser(packet_in packet,
                     out headers_t hdr,
                     out metadata_t meta,
                     out egress_intrinsic_metadata_t eg_intr_md) {
    telemetry_parser() telemetry;

    state start {
        packet.extract(eg_intr_md);
        packet.extract(hdr.bridge);
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        meta.standard.egress_port = eg_intr_md.egress_port;
        telemetry.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TNA_PARSERS_P4 */
