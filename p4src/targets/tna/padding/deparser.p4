#ifndef TNA_PADDING_DEPARSER_P4
#define TNA_PADDING_DEPARSER_P4

#include "packet.p4"

/* Checksums by difference, as ../deparsers.p4 keeps them. */
control egress_deparser(packet_out packet,
                        inout headers_t hdr,
                        in metadata_t meta,
                        in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    Checksum() ipv4_checksum;
    Checksum() udp_checksum;

    apply {
        if (hdr.ipv4.isValid()) {
            hdr.ipv4.checksum = ipv4_checksum.update({ hdr.ipv4.total_len, meta.tna.ipv4_rest });
        }
        if (meta.tna.renews_udp == 1) {
            hdr.udp.checksum = udp_checksum.update({
                hdr.udp.length, hdr.udp.length, hdr.padding, hdr.padding_hop,
                meta.tna.l4_rest }, true);
        }
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.padding);
        packet.emit(hdr.four_older);
        packet.emit(hdr.two_older);
        packet.emit(hdr.one_older);
        packet.emit(hdr.padding_hop);
    }
}

#endif  /* TNA_PADDING_DEPARSER_P4 */
