#ifndef HPCC_EDGE_DEPARSER_P4
#define HPCC_EDGE_DEPARSER_P4

#include "hpcc_edge_headers.p4"
#include "v1model/blocks/checksums.p4"

/* Updates the checksums of the packet and of the report around it. */
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

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.report_ipv4);
        packet.emit(hdr.report_udp);
        packet.emit(hdr.report);
        packet.emit(hdr.report_int);
        packet.emit(hdr.report_hop);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.int_stack);
    }
}

#endif  /* HPCC_EDGE_DEPARSER_P4 */
