#ifndef NOTIFICATION_CODE_P4
#define NOTIFICATION_CODE_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/blocks/sip_hash.p4"

/* SipHash-2-4 of the 48 bytes of a notification before its code. */
control notification_code(in notification_t message,
                          in bit<64> key_low,
                          in bit<64> key_high,
                          out bit<64> code) {
    sip_state_t state;
    sip_start() start;
    sip_word() take;
    sip_end() end;

    apply {
        start.apply(key_low, key_high, state);
        take.apply(state, message.version ++ message.type ++ message.flags ++ message.words ++
                          message.key_id ++ message.sender_node);
        take.apply(state, message.sequence);
        take.apply(state, message.ar_id ++ message.protocol ++ message.traffic_class ++
                          message.queue_id ++ message.severity);
        take.apply(state, message.src_port ++ message.dst_port ++ message.discriminator);
        take.apply(state, message.queue_bytes ++ message.time_ns);
        take.apply(state, message.src_addr ++ message.dst_addr);
        /* Nothing is left over. */
        end.apply(state, 48, code);
    }
}  /* notification_code */

#endif  /* NOTIFICATION_CODE_P4 */
