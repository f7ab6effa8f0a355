#ifndef NOTIFICATION_BUILD_P4
#define NOTIFICATION_BUILD_P4

#include "../packet.p4"
#include "../v1model_quirks.p4"
#include "../coordination/types.p4"

/*
 * Turns the clone of a data packet into a notification about its flow and sends it through ingress,
 * where it is addressed, signed and routed.
 */
control notification_build(inout headers_t hdr, in metadata_t meta) {
    action write_message() {
        bit<32> kibibytes = meta.notice.queue_bytes >> 10;
        hdr.notification.setValid();
        hdr.notification = { CCM_VERSION, meta.notice.type, 0, NOTIFICATION_WORDS, 0, 0, 0,
                             meta.notice.ar_id, hdr.ipv4.protocol, hdr.ipv4.dscp ++ 2w0, 0,
                             kibibytes > 255 ? 8w255 : kibibytes[7:0], meta.notice.src_port,
                             meta.notice.dst_port, 0, meta.notice.queue_bytes,
                             meta.notice.time_ns, hdr.ipv4.src_addr, hdr.ipv4.dst_addr, 0, 0 };
        hdr.udp.setValid();
        hdr.udp = { CCM_PORT, CCM_PORT, NOTIFICATION_UDP_BYTES, 0 };
        hdr.ipv4.dscp = 0;
        hdr.ipv4.ecn = 0;
        hdr.ipv4.total_len = IPV4_BYTES + NOTIFICATION_UDP_BYTES;
        hdr.ipv4.identification = 0;
        hdr.ipv4.flags = 2;
        hdr.ipv4.frag_offset = 0;
        hdr.ipv4.ttl = NOTIFICATION_TTL;
        hdr.ipv4.protocol = PROTOCOL_UDP;
        hdr.ethernet.ether_type = ETHERTYPE_IPV4;
    }

    action drop_other_headers() {
        hdr.ccm_tag.setInvalid();
        hdr.tcp.setInvalid();
        hdr.tcp_options.setInvalid();
        hdr.int_shim.setInvalid();
        hdr.int_md.setInvalid();
        hdr.int_hop.setInvalid();
    }

    apply {
        write_message();
        drop_other_headers();
        recirculate_preserving_field_list(NO_FIELDS);
    }
}  /* notification_build */

#endif  /* NOTIFICATION_BUILD_P4 */
