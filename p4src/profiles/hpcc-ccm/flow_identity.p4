#ifndef HPCC_CCM_FLOW_IDENTITY_P4
#define HPCC_CCM_FLOW_IDENTITY_P4

#include "packet.p4"
#include "coordination_tag.p4"

/*
 * The tag of a packet, and two hashes of its 5-tuple, or of the flow that a notification names,
 * which therefore finds what the flow's packets have left.
 */
control flow_identity(in headers_t hdr, inout metadata_t meta) {
    coordination_tag() tag;

    action hash_packet() {
        /* No base, and a divisor that leaves all bits but one value. */
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, hdr.ipv4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w0x10000);
    }

    action hash_named_flow() {
        hash(meta.flow.hash, HashAlgorithm.crc32, 32w0,
             { hdr.notification.src_addr, hdr.notification.dst_addr, hdr.notification.protocol,
               hdr.notification.src_port, hdr.notification.dst_port }, 32w0xffffffff);
        hash(meta.flow.digest, HashAlgorithm.crc16, 16w0,
             { hdr.notification.src_addr, hdr.notification.dst_addr, hdr.notification.protocol,
               hdr.notification.src_port, hdr.notification.dst_port }, 32w0x10000);
    }

    apply {
        tag.apply(hdr, meta);
        if (meta.tag.takes_part) {
            hash_packet();
        } else if (hdr.notification.isValid()) {
            hash_named_flow();
        }
    }
}  /* flow_identity */

#endif  /* HPCC_CCM_FLOW_IDENTITY_P4 */
