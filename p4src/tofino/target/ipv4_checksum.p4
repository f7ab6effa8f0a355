#ifndef TOFINO_IPV4_CHECKSUM_P4
#define TOFINO_IPV4_CHECKSUM_P4

/* Tells the deparser to renew the header checksum, where a length or DSCP has changed. */
control ipv4_renewal(in headers_t hdr, inout metadata_t meta) {
    action renew() {
        meta.target.renews_ipv4 = 1;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            renew();
        }
    }
}  /* ipv4_renewal */

/*
 * Header checksum of a header without options in which more than the TTL has changed, of the whole
 * header: ingress has dropped packets in which it was wrong. Tofino's parser cannot keep a sum of
 * the rest of a header, for it goes on subtracting whatever it reads behind it.
 */
control ipv4_checksum(inout headers_t hdr, in metadata_t meta) {
    Checksum() checksum;

    apply {
        if (meta.target.renews_ipv4 == 1) {
            hdr.ipv4.checksum = checksum.update({
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.total_len,
                hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.frag_offset, hdr.ipv4.ttl,
                hdr.ipv4.protocol, hdr.ipv4.src_addr, hdr.ipv4.dst_addr });
        }
    }
}  /* ipv4_checksum */

#endif  /* TOFINO_IPV4_CHECKSUM_P4 */
