#ifndef NOTIFICATION_CHECKSUM_P4
#define NOTIFICATION_CHECKSUM_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"

#define NOTIFICATION_CHECKSUM_FIELDS                                                            \
    hdr.udp.src_port, hdr.udp.dst_port, hdr.udp.length, hdr.notification.version,               \
    hdr.notification.type, hdr.notification.flags, hdr.notification.words,                      \
    hdr.notification.key_id, hdr.notification.sender_node, hdr.notification.sequence,           \
    hdr.notification.ar_id, hdr.notification.protocol, hdr.notification.traffic_class,          \
    hdr.notification.queue_id, hdr.notification.severity, hdr.notification.src_port,            \
    hdr.notification.dst_port, hdr.notification.discriminator, hdr.notification.queue_bytes,    \
    hdr.notification.time_ns, hdr.notification_mac.code, hdr.notification_mac.rest

/*
 * The UDP checksum of a notification, which is all headers, and so needs no payload. It is made
 * where the notification is; elsewhere a new one would bless damage. A sum of zero is sent as all
 * ones: zero is "none", which IPv6 forbids (RFC 8200 section 8.1).
 */
control notification_checksum(inout headers_t hdr) {
    /* No base, and a divisor that leaves all values. */
    action sum_ipv4() {
        hash(hdr.udp.checksum, HashAlgorithm.csum16, 16w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, 8w0, hdr.ipv4.protocol, hdr.udp.length,
               NOTIFICATION_CHECKSUM_FIELDS, hdr.notification_ipv4.src_addr,
               hdr.notification_ipv4.dst_addr }, 32w0x10000);
    }

    action sum_ipv6() {
        hash(hdr.udp.checksum, HashAlgorithm.csum16, 16w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, 8w0, hdr.ipv6.next_header, hdr.udp.length,
               NOTIFICATION_CHECKSUM_FIELDS, hdr.notification_ipv6.src_addr,
               hdr.notification_ipv6.dst_addr }, 32w0x10000);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            sum_ipv4();
        } else {
            sum_ipv6();
        }
        if (hdr.udp.checksum == 0) {
            hdr.udp.checksum = 0xFFFF;
        }
    }
}  /* notification_checksum */

#endif  /* NOTIFICATION_CHECKSUM_P4 */
