#ifndef NOTIFICATION_CHECK_P4
#define NOTIFICATION_CHECK_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"

/* Marks the pin of a flow, so that its next packets leave the way that it is on. */
control pin_request(in metadata_t meta, out bool is_known) {
    action mark() {
        bit<32> cell = (bit<32>)meta.flow.hash[PIN_BITS - 1:0];
        bit<32> state;
        pin_states.read(state, cell);
        is_known = state[31:31] == 1 && state[24:9] == meta.flow.digest;
        pin_states.write(cell, is_known ? state | 0x40000000 : state);
    }

    apply {
        mark();
    }
}  /* pin_request */

/*
 * Judges a notification that came for this switch, whose sender is known and whose code should be
 * `code`, and obeys it: form, code, and a number above all before, since a repeated request would
 * move the flow back.
 */
control notification_check(in headers_t hdr,
                           in metadata_t meta,
                           in bit<64> code,
                           in bit<32> peer_slot,
                           out bit<32> outcome) {
    register<bit<64>>(PEER_COUNT) last_sequences;

    pin_request() request;

    action compare_sequence(out bool is_newer) {
        bit<64> last;
        last_sequences.read(last, peer_slot);
        is_newer = hdr.notification.sequence > last;
        last_sequences.write(peer_slot, is_newer ? hdr.notification.sequence : last);
    }

    apply {
        bit<8> flags = hdr.ipv6.isValid() ? NOTIFICATION_FLAG_IPV6 : 8w0;
        bit<8> words = hdr.ipv6.isValid() ? IPV6_NOTIFICATION_WORDS : NOTIFICATION_WORDS;
        if (hdr.notification_mac.code != code || hdr.notification_mac.rest != 0) {
            outcome = NOTICE_FORGED;
        } else if (hdr.notification.version != CCM_VERSION ||
                   hdr.notification.type != REROUTING_REQUIRED ||
                   hdr.notification.flags != flags ||
                   hdr.notification.words != words) {
            outcome = NOTICE_NOT_FOR_US;
        } else {
            bool is_newer;
            compare_sequence(is_newer);
            outcome = NOTICE_REPLAYED;
            if (is_newer) {
                bool has_pin;
                request.apply(meta, has_pin);
                outcome = has_pin ? NOTICE_ACCEPTED : NOTICE_NO_PIN;
            }
        }
    }
}  /* notification_check */

#endif  /* NOTIFICATION_CHECK_P4 */
