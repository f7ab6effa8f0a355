#ifndef HPCC_CCM_DEPARSER_P4
#define HPCC_CCM_DEPARSER_P4

#include "hpcc_ccm_headers.p4"
#include "v1model/blocks/checksums.p4"

/*
 * A notification is all headers, so its UDP checksum needs no payload. It is made where the
 * notification is; elsewhere a new one would bless damage.
 */
control coordination_checksum_update(inout headers_t hdr, inout metadata_t meta) {
    checksum_update() ip;

    apply {
        ip.apply(hdr, meta);
        update_checksum(meta.is_own_notification,
                        { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, 8w0, hdr.ipv4.protocol,
                          hdr.udp.length, hdr.udp.src_port, hdr.udp.dst_port, hdr.udp.length,
                          hdr.notification.version, hdr.notification.type,
                          hdr.notification.flags, hdr.notification.words,
                          hdr.notification.key_id, hdr.notification.sender_node,
                          hdr.notification.sequence, hdr.notification.ar_id,
                          hdr.notification.protocol, hdr.notification.traffic_class,
                          hdr.notification.queue_id, hdr.notification.severity,
                          hdr.notification.src_port, hdr.notification.dst_port,
                          hdr.notification.discriminator, hdr.notification.queue_bytes,
                          hdr.notification.time_ns, hdr.notification.src_addr,
                          hdr.notification.dst_addr, hdr.notification.mac,
                          hdr.notification.mac_rest },
                        hdr.udp.checksum, HashAlgorithm.csum16);
    }
}

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ccm_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.udp);
        packet.emit(hdr.tcp);
        packet.emit(hdr.tcp_options);
        packet.emit(hdr.int_shim);
        packet.emit(hdr.int_md);
        packet.emit(hdr.int_hop);
        packet.emit(hdr.notification);
    }
}

#endif  /* HPCC_CCM_DEPARSER_P4 */
