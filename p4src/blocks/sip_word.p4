#ifndef SIP_WORD_P4
#define SIP_WORD_P4

#include "../packet.p4"

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

#endif  /* SIP_WORD_P4 */
