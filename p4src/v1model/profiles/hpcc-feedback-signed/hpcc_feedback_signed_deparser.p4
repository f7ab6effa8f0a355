#ifndef HPCC_FEEDBACK_SIGNED_DEPARSER_P4
#define HPCC_FEEDBACK_SIGNED_DEPARSER_P4

#include "hpcc_feedback_signed_headers.p4"
#include "v1model/profiles/hpcc-feedback/hpcc_feedback_deparser.p4"

#define SIGNED_CHECKSUM_FIELDS                                                         \
    RESPONSE_CHECKSUM_FIELDS, hdr.signature.key_id, hdr.signature.reserved,            \
    hdr.signature.sequence, hdr.signature.mac, hdr.signature.mac_rest

/* The UDP checksum of a signed response takes the place of that of one without trailer. */
control signed_checksum_update(inout headers_t hdr, inout metadata_t meta) {
    feedback_checksum_update() plain;

    apply {
        plain.apply(hdr, meta);
        update_checksum(hdr.signature.isValid() && hdr.ipv4.isValid(),
                        { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, 8w0, hdr.ipv4.protocol,
                          hdr.udp.length, SIGNED_CHECKSUM_FIELDS },
                        hdr.udp.checksum, HashAlgorithm.csum16);
        update_checksum(hdr.signature.isValid() && hdr.ipv6.isValid(),
                        { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 8w0, hdr.ipv6.next_header,
                          hdr.udp.length, SIGNED_CHECKSUM_FIELDS },
                        hdr.udp.checksum, HashAlgorithm.csum16);
    }
}

control signed_deparser(packet_out packet, in headers_t hdr) {
    packet_deparser() plain;

    apply {
        plain.apply(packet, hdr);
        packet.emit(hdr.signature);
    }
}

#endif  /* HPCC_FEEDBACK_SIGNED_DEPARSER_P4 */
