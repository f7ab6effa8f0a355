#ifndef EDGE_CHECKSUMS_P4
#define EDGE_CHECKSUMS_P4

#include "packet.p4"
#include "../checksums.p4"

/* Of the packet and of the report around it. */
control edge_checksum_update(inout headers_t hdr, inout metadata_t meta) {
    checksum_update() inner;

    apply {
        inner.apply(hdr, meta);
        update_checksum(hdr.report_ipv4.isValid(),
                        { hdr.report_ipv4.version, hdr.report_ipv4.ihl, hdr.report_ipv4.dscp,
                          hdr.report_ipv4.ecn, hdr.report_ipv4.total_len,
                          hdr.report_ipv4.identification, hdr.report_ipv4.flags,
                          hdr.report_ipv4.frag_offset, hdr.report_ipv4.ttl,
                          hdr.report_ipv4.protocol, hdr.report_ipv4.src_addr,
                          hdr.report_ipv4.dst_addr },
                        hdr.report_ipv4.checksum, HashAlgorithm.csum16);
    }
}

#endif  /* EDGE_CHECKSUMS_P4 */
