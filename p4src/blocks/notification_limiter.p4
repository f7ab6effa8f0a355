#ifndef NOTIFICATION_LIMITER_P4
#define NOTIFICATION_LIMITER_P4

#include "../coordination/config.p4"

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

#endif  /* NOTIFICATION_LIMITER_P4 */
