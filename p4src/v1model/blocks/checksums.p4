#ifndef CHECKSUMS_P4
#define CHECKSUMS_P4

#define IPV4_CHECKSUM_FIELDS {                                              \
    hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn,            \
    hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,            \
    hdr.ipv4.frag_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,                  \
    hdr.ipv4.src_addr, hdr.ipv4.dst_addr }

/* A header with options is left to the hosts: its options are not parsed here. */
control checksum_verification(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5, IPV4_CHECKSUM_FIELDS,
                        hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}  /* checksum_verification */

control checksum_update(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5, IPV4_CHECKSUM_FIELDS,
                        hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}  /* checksum_update */

#endif  /* CHECKSUMS_P4 */
