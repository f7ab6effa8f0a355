#ifndef HPCC_FEEDBACK_SIGNED_RESPONSE_SIGNATURE_P4
#define HPCC_FEEDBACK_SIGNED_RESPONSE_SIGNATURE_P4

#include "packet.p4"
#include "response_code.p4"

/*
 * Numbers and signs a response that ../hpcc-feedback/feedback_response.p4 has made, where the
 * switch has a key: hosts with keys believe no other. No number is used twice, so the high half is
 * to be raised when the register has been lost.
 */
control response_signature(inout headers_t hdr) {
    register<bit<32>>(1) sent_count;

    response_code() authentication;
    bool has_key;
    bit<64> key_low;
    bit<64> key_high;

    action number(bit<8> key_id, bit<64> low, bit<64> high, bit<32> boot) {
        bit<32> count;
        sent_count.read(count, 0);
        count = count + 1;
        sent_count.write(0, count);
        has_key = true;
        key_low = low;
        key_high = high;
        hdr.signature.setValid();
        hdr.signature = { key_id, 0, boot ++ count, 0, 0 };
    }

    action leave_unsigned() {
        has_key = false;
    }

    table answer_key {
        actions = { number; leave_unsigned; }
        default_action = leave_unsigned;
    }

    action make_room() {
        hdr.hpcc.flags = hdr.hpcc.flags | RESPONSE_SIGNED;
        hdr.hpcc.length = hdr.hpcc.length + SIGNATURE_BYTES;
        hdr.udp.length = hdr.udp.length + SIGNATURE_BYTES;
    }

    action make_room_ipv4() {
        hdr.ipv4.total_len = hdr.ipv4.total_len + SIGNATURE_BYTES;
    }

    action make_room_ipv6() {
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + SIGNATURE_BYTES;
    }

    apply {
        key_low = 0;
        key_high = 0;
        answer_key.apply();
        if (has_key) {
            make_room();
            if (hdr.ipv4.isValid()) {
                make_room_ipv4();
            } else {
                make_room_ipv6();
            }
            authentication.apply(hdr, key_low, key_high, hdr.signature.mac);
        }
    }
}  /* response_signature */

#endif  /* HPCC_FEEDBACK_SIGNED_RESPONSE_SIGNATURE_P4 */
