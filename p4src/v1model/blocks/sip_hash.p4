#ifndef SIP_HASH_P4
#define SIP_HASH_P4

/*
 * SipHash-2-4 of a message, word by word: sip_start, sip_word for every eight bytes, and sip_end. A
 * program can loop over nothing, so each message has a control of its own that names its words.
 */

/* In the names of the hash's authors. */
struct sip_state_t {
    bit<64> v0;
    bit<64> v1;
    bit<64> v2;
    bit<64> v3;
}

control sip_start(in bit<64> key_low, in bit<64> key_high, out sip_state_t state) {
    /* "somepseudorandomlygeneratedbytes" */
    action start() {
        state.v0 = key_low ^ 0x736f6d6570736575;
        state.v1 = key_high ^ 0x646f72616e646f6d;
        state.v2 = key_low ^ 0x6c7967656e657261;
        state.v3 = key_high ^ 0x7465646279746573;
    }

    apply {
        start();
    }
}  /* sip_start */

/*
 * Takes a word into the state. The hash reads words with the least significant byte first, so the
 * word is turned around, by steps that are actions of their own: as one expression they would be
 * many times as long.
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
 * The code, in the authors' order, least significant byte first. `last` is the word that ends every
 * message: the bytes that are left over, zeros, and the length modulo 256.
 */
control sip_end(inout sip_state_t state, in bit<64> last, out bit<64> code) {
    sip_word() take;
    bit<64> sum;

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
        take.apply(state, last);
        prepare_end();
        /* Four more rounds, which are what two words of zero bring. */
        take.apply(state, 0);
        take.apply(state, 0);
        add_up();
        turn_around();
    }
}  /* sip_end */

#endif  /* SIP_HASH_P4 */
