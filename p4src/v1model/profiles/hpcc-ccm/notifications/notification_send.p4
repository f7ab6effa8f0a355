#ifndef NOTIFICATION_SEND_P4
#define NOTIFICATION_SEND_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "common/types.p4"
#include "v1model/blocks/v1model_quirks.p4"

/*
 * At most one notification per flow and interval, as response_limiter.p4 does for responses: a
 * Bloom filter whose cells are the times of the latest one. Time 0 means "never". The flow is given
 * by its hashes, into which the type may be mixed.
 */
control notification_limiter(in bit<32> first_hash,
                             in bit<16> second_hash,
                             in bit<64> now_ns,
                             in bit<64> interval_ns,
                             out bool is_due) {
    register<bit<64>>(LIMITER_CELLS) first_times;
    register<bit<64>>(LIMITER_CELLS) second_times;

    action look_and_mark() {
        bit<64> first_time;
        bit<64> second_time;
        bit<32> first = (bit<32>)first_hash[LIMITER_BITS - 1:0];
        bit<32> second = (bit<32>)second_hash[LIMITER_BITS - 1:0];
        first_times.read(first_time, first);
        second_times.read(second_time, second);
        is_due = first_time == 0 || now_ns - first_time >= interval_ns ||
                 second_time == 0 || now_ns - second_time >= interval_ns;
        first_times.write(first, is_due ? now_ns : first_time);
        second_times.write(second, is_due ? now_ns : second_time);
    }

    apply {
        look_and_mark();
    }
}  /* notification_limiter */

/*
 * Cuts what is left of the payload of the packet that caused a notification, when the notification
 * leaves: bmv2 forgets about `truncate` when it recirculates.
 */
control notification_trim(in headers_t hdr,
                          in metadata_t meta,
                          inout standard_metadata_t standard_metadata) {
    apply {
        if (meta.is_own_notification) {
            bit<32> frame_bytes = hdr.ipv4.isValid()
                ? (bit<32>)(ETHERNET_BYTES + hdr.ipv4.total_len)
                : (bit<32>)(ETHERNET_BYTES + IPV6_BYTES + hdr.ipv6.payload_length);
            standard_metadata.packet_length = frame_bytes;
            truncate(frame_bytes);
        }
    }
}  /* notification_trim */

/*
 * Turns the clone of a data packet into a notification about its flow and sends it through ingress,
 * where it is addressed, signed and routed.
 */
control notification_build(inout headers_t hdr, in metadata_t meta) {
    bit<8> severity;

    action write_ipv4_message() {
        hdr.notification.setValid();
        hdr.notification = { CCM_VERSION, meta.notice.type, 0, NOTIFICATION_WORDS, 0, 0, 0,
                             meta.notice.ar_id, hdr.ipv4.protocol, hdr.ipv4.dscp ++ 2w0, 0,
                             severity, meta.notice.src_port, meta.notice.dst_port, 0,
                             meta.notice.queue_bytes, meta.notice.time_ns };
        hdr.notification_ipv4.setValid();
        hdr.notification_ipv4 = { hdr.ipv4.src_addr, hdr.ipv4.dst_addr };
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

    action write_ipv6_message() {
        hdr.notification.setValid();
        hdr.notification = { CCM_VERSION, meta.notice.type, NOTIFICATION_FLAG_IPV6,
                             IPV6_NOTIFICATION_WORDS, 0, 0, 0, meta.notice.ar_id,
                             hdr.ipv6.next_header, hdr.ipv6.dscp ++ 2w0, 0, severity,
                             meta.notice.src_port, meta.notice.dst_port, 0,
                             meta.notice.queue_bytes, meta.notice.time_ns };
        hdr.notification_ipv6.setValid();
        hdr.notification_ipv6 = { hdr.ipv6.src_addr, hdr.ipv6.dst_addr };
        hdr.udp.setValid();
        hdr.udp = { CCM_PORT, CCM_PORT, IPV6_NOTIFICATION_UDP_BYTES, 0 };
        hdr.ipv6.dscp = 0;
        hdr.ipv6.ecn = 0;
        hdr.ipv6.flow_label = 0;
        hdr.ipv6.payload_length = IPV6_NOTIFICATION_UDP_BYTES;
        hdr.ipv6.next_header = PROTOCOL_UDP;
        hdr.ipv6.hop_limit = NOTIFICATION_TTL;
        hdr.ethernet.ether_type = ETHERTYPE_IPV6;
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
        bit<32> kibibytes = meta.notice.queue_bytes >> 10;
        severity = kibibytes > 255 ? 8w255 : kibibytes[7:0];
        hdr.notification_mac.setValid();
        hdr.notification_mac = { 0, 0 };
        if (hdr.ipv4.isValid()) {
            write_ipv4_message();
        } else {
            write_ipv6_message();
        }
        drop_other_headers();
        recirculate_preserving_field_list(NO_FIELDS);
    }
}  /* notification_build */

#endif  /* NOTIFICATION_SEND_P4 */
