#ifndef NOTIFICATION_CODE_P4
#define NOTIFICATION_CODE_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/blocks/sip_hash.p4"

/* SipHash-2-4 of the bytes of a notification before its code: 48, or 72 of a flow over IPv6. */
control notification_code(in headers_t hdr,
                          in bit<64> key_low,
                          in bit<64> key_high,
                          out bit<64> code) {
    sip_state_t state;
    sip_start() start;
    sip_word() take;
    sip_end() end;

    apply {
        start.apply(key_low, key_high, state);
        take.apply(state, hdr.notification.version ++ hdr.notification.type ++
                          hdr.notification.flags ++ hdr.notification.words ++
                          hdr.notification.key_id ++ hdr.notification.sender_node);
        take.apply(state, hdr.notification.sequence);
        take.apply(state, hdr.notification.ar_id ++ hdr.notification.protocol ++
                          hdr.notification.traffic_class ++ hdr.notification.queue_id ++
                          hdr.notification.severity);
        take.apply(state, hdr.notification.src_port ++ hdr.notification.dst_port ++
                          hdr.notification.discriminator);
        take.apply(state, hdr.notification.queue_bytes ++ hdr.notification.time_ns);
        /* Nothing is left over. */
        bit<64> last = 48;
        if (hdr.notification_ipv4.isValid()) {
            take.apply(state, hdr.notification_ipv4.src_addr ++ hdr.notification_ipv4.dst_addr);
        } else {
            last = 72;
            take.apply(state, hdr.notification_ipv6.src_addr[127:64]);
            take.apply(state, hdr.notification_ipv6.src_addr[63:0]);
            take.apply(state, hdr.notification_ipv6.dst_addr[127:64]);
            take.apply(state, hdr.notification_ipv6.dst_addr[63:0]);
        }
        end.apply(state, last, code);
    }
}  /* notification_code */

#endif  /* NOTIFICATION_CODE_P4 */
