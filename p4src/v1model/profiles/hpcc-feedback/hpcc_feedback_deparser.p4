#ifndef HPCC_FEEDBACK_DEPARSER_P4
#define HPCC_FEEDBACK_DEPARSER_P4

#include "common/feedback_format.p4"
#include "v1model/blocks/checksums.p4"

#define RESPONSE_CHECKSUM_FIELDS                                                              \
    hdr.udp.src_port, hdr.udp.dst_port, hdr.udp.length, hdr.hpcc.version, hdr.hpcc.type,      \
    hdr.hpcc.flags, hdr.hpcc.flow_id, hdr.hpcc.length, hdr.hpcc.generation, hdr.hpcc.sequence, \
    hdr.response.hop_index, hdr.response.sequence_kind, hdr.response.protocol,                \
    hdr.response.ttl, hdr.response.src_port, hdr.response.dst_port,                           \
    hdr.response_hop.node_id, hdr.response_hop.ingress_port, hdr.response_hop.egress_port,    \
    hdr.response_hop.queue_id, hdr.response_hop.queue_bytes,                                  \
    hdr.response_hop.egress_timestamp, hdr.response_hop.tx_bytes,                             \
    hdr.response_hop.capacity_mbps

/* A response is all headers, so its UDP checksum needs no payload. */
control feedback_checksum_update(inout headers_t hdr, inout metadata_t meta) {
    checksum_update() ip;

    apply {
        ip.apply(hdr, meta);
        update_checksum(hdr.response.isValid() && hdr.ipv4.isValid(),
                        { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, 8w0, hdr.ipv4.protocol,
                          hdr.udp.length, RESPONSE_CHECKSUM_FIELDS },
                        hdr.udp.checksum, HashAlgorithm.csum16);
        update_checksum(hdr.response.isValid() && hdr.ipv6.isValid(),
                        { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 8w0, hdr.ipv6.next_header,
                          hdr.udp.length, RESPONSE_CHECKSUM_FIELDS },
                        hdr.udp.checksum, HashAlgorithm.csum16);
    }
}

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.int_stack);
        packet.emit(hdr.hpcc);
        packet.emit(hdr.bth);
        packet.emit(hdr.response);
        packet.emit(hdr.response_hop);
    }
}

#endif  /* HPCC_FEEDBACK_DEPARSER_P4 */
