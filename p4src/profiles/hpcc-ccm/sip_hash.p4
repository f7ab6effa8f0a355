#ifndef HPCC_CCM_SIP_HASH_P4
#define HPCC_CCM_SIP_HASH_P4

#include "packet.p4"


/*
 * Takes a word into the state of SipHash-2-4. The hash reads words with the least significant byte
 * first, so the word is turned around, by steps that are actions of their own: as one expression
 * they would be many times as long.
 */
control sip_word(inout sip_state_t state, in bit<64> bytes) {
    bit<64> word;

    action sip_round() {
        state.v0 = state.v0 + state.v1;
        state.v1 = ((state.v1 << 13) | (state.v1 >> 51)) ^ state.v0;
        state.v0 = (state.v0 << 32) | (state.v0 >> 32);
        state.v2 = state.v2 + state.v3;
        state.v3 = ((state.v3 << 16) | (state.v3 >> 48)) ^ state.v2;
        state.v0 = state.v0 + state.v3;
        state.v3 = ((state.v3 << 21) | (state.v3 >> 43)) ^ state.v0;
        state.v2 = state.v2 + state.v1;
        state.v1 = ((state.v1 << 17) | (state.v1 >> 47)) ^ state.v2;
        state.v2 = (state.v2 << 32) | (state.v2 >> 32);
    }

    action load() {
        word = bytes;
    }

    action swap_bytes() {
        word = ((word & 0x00ff00ff00ff00ff) << 8) | ((word >> 8) & 0x00ff00ff00ff00ff);
    }

    action swap_pairs() {
        word = ((word & 0x0000ffff0000ffff) << 16) | ((word >> 16) & 0x0000ffff0000ffff);
    }

    action swap_halves() {
        word = (word << 32) | (word >> 32);
    }

    action absorb() {
        state.v3 = state.v3 ^ word;
        sip_round();
        sip_round();
        state.v0 = state.v0 ^ word;
    }

    apply {
        load();
        swap_bytes();
        swap_pairs();
        swap_halves();
        absorb();
    }
}  /* sip_word */

/*
 * SipHash-2-4 of the 48 bytes of a notification before its code. The code is in the authors' order,
 * least significant byte first.
 */
control sip_hash(in notification_t message,
                 in bit<64> key_low,
                 in bit<64> key_high,
                 out bit<64> code) {
    sip_state_t state;
    sip_word() take;
    bit<64> sum;

    /* "somepseudorandomlygeneratedbytes" */
    action start() {
        state.v0 = key_low ^ 0x736f6d6570736575;
        state.v1 = key_high ^ 0x646f72616e646f6d;
        state.v2 = key_low ^ 0x6c7967656e657261;
        state.v3 = key_high ^ 0x7465646279746573;
    }

    action prepare_end() {
        state.v2 = state.v2 ^ 0xff;
    }

    action add_up() {
        sum = state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
    }

    action turn_around() {
        code = sum[7:0] ++ sum[15:8] ++ sum[23:16] ++ sum[31:24] ++
               sum[39:32] ++ sum[47:40] ++ sum[55:48] ++ sum[63:56];
    }

    apply {
        start();
        take.apply(state, message.version ++ message.type ++ message.flags ++ message.words ++
                          message.key_id ++ message.sender_node);
        take.apply(state, message.sequence);
        take.apply(state, message.ar_id ++ message.protocol ++ message.traffic_class ++
                          message.queue_id ++ message.severity);
        take.apply(state, message.src_port ++ message.dst_port ++ message.discriminator);
        take.apply(state, message.queue_bytes ++ message.time_ns);
        take.apply(state, message.src_addr ++ message.dst_addr);
        /* Nothing is left over; the length is in the last byte. */
        take.apply(state, 48);
        prepare_end();
        /* Four more rounds, which are what two words of zero bring. */
        take.apply(state, 0);
        take.apply(state, 0);
        add_up();
        turn_around();
    }
}  /* sip_hash */

#endif  /* HPCC_CCM_SIP_HASH_P4 */
