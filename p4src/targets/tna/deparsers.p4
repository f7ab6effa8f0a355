#ifndef TNA_DEPARSERS_P4
#define TNA_DEPARSERS_P4

#include "packet.p4"
#include "ingress_deparser.p4"
#include "telemetry_checksums.p4"

control egress_deparser(packet_out packet,
                        inout headers_t hdr,
                        in metadata_t meta,
                        in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    telemetry_checksums() checksums;

    apply {
        checksums.apply(hdr, meta);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
    }
}

#endif  /* TNA_DEPARSERS_P4 */
