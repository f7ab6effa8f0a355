#ifndef FLOW_IDENTITY_P4
#define FLOW_IDENTITY_P4

#include "hpcc_ccm_headers.p4"
#include "coordination_tag.p4"

/* Two hashes of the packet's 5-tuple. */
control packet_identity(in headers_t hdr, inout metadata_t meta) {
    action hash_ipv4() {
        /* No base, and a divisor that leaves all bits but one value. */
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w0x10000);
    }

    action hash_ipv6() {
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, hdr.ipv6.next_header, meta.l4.src_port,
               meta.l4.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, hdr.ipv6.next_header, meta.l4.src_port,
               meta.l4.dst_port }, 32w0x10000);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4();
        } else {
            hash_ipv6();
        }
    }
}  /* packet_identity */

/* The same of the flow that a notification names. */
control named_flow_identity(in headers_t hdr, inout metadata_t meta) {
    action hash_ipv4() {
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.notification_ipv4.src_addr, hdr.notification_ipv4.dst_addr,
               hdr.notification.protocol, hdr.notification.src_port,
               hdr.notification.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.notification_ipv4.src_addr, hdr.notification_ipv4.dst_addr,
               hdr.notification.protocol, hdr.notification.src_port,
               hdr.notification.dst_port }, 32w0x10000);
    }

    action hash_ipv6() {
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.notification_ipv6.src_addr, hdr.notification_ipv6.dst_addr,
               hdr.notification.protocol, hdr.notification.src_port,
               hdr.notification.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.notification_ipv6.src_addr, hdr.notification_ipv6.dst_addr,
               hdr.notification.protocol, hdr.notification.src_port,
               hdr.notification.dst_port }, 32w0x10000);
    }

    apply {
        if (hdr.notification_ipv4.isValid()) {
            hash_ipv4();
        } else {
            hash_ipv6();
        }
    }
}  /* named_flow_identity */

/*
 * The tag of a packet and its identity, or that of the flow which a notification names: it finds
 * what the flow's packets have left.
 */
control flow_identity(in headers_t hdr, inout metadata_t meta) {
    coordination_tag() tag;
    packet_identity() own;
    named_flow_identity() named;

    apply {
        tag.apply(hdr, meta);
        if (meta.tag.takes_part) {
            own.apply(hdr, meta);
        } else if (hdr.notification.isValid()) {
            named.apply(hdr, meta);
        }
    }
}  /* flow_identity */

#endif  /* FLOW_IDENTITY_P4 */
