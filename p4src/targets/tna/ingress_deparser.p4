#ifndef TNA_INGRESS_DEPARSER_P4
#define TNA_INGRESS_DEPARSER_P4

/* The header checksum by difference, so that damage stays visible and options need no parsing. */
control ingress_deparser(packet_out packet,
                         inout headers_t hdr,
                         in metadata_t meta,
                         in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Checksum() ipv4_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum =
                ipv4_checksum.update({ hdr.ipv4.ttl, hdr.ipv4.protocol, meta.tna.ipv4_rest });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
    }
}  /* ingress_deparser */

#endif  /* TNA_INGRESS_DEPARSER_P4 */
