#ifndef RESPONSE_SIGNATURE_P4
#define RESPONSE_SIGNATURE_P4

#include "common/ids.p4"
#include "hpcc_feedback_signed_headers.p4"
#include "response_code.p4"

/*
 * Numbers and signs a response that feedback_response.p4 has made, where the
 * switch has a key: hosts with keys believe no other. No number is used twice, so the high half is
 * to be raised when the register has been lost.
 */
control response_signature(inout headers_t hdr) {
    register<bit<32>>(1) sent_count;

    response_code() authentication;
    bool has_key;
    bit<64> key_low;
    bit<64> key_high;

    @id(NUMBER_ACTION_ID)
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

    @id(LEAVE_UNSIGNED_ACTION_ID)
    action leave_unsigned() {
        has_key = false;
    }

    @id(ANSWER_KEY_TABLE_ID)
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

#endif  /* RESPONSE_SIGNATURE_P4 */
