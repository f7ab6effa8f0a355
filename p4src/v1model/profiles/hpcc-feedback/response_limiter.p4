#ifndef RESPONSE_LIMITER_P4
#define RESPONSE_LIMITER_P4

#include "common/feedback_format.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/* When a sender was answered last, and how long the queue was then. */
typedef bit<88> answer_t;

/*
 * At most one response per sender, port and interval, and while the queue gets shorter one in
 * sixteen intervals: the sender has been told of a longer one, and telemetry that tells it more is
 * on its way. A host uses an answer for all its flows through the port, so one per sender is
 * enough.
 *
 * The filter is a Bloom filter whose cells are the latest answers instead of bits, so that it
 * forgets by itself. A sender waits only if all of its cells say so; two senders that share one
 * cell do not disturb each other. Time 0 means "never".
 */
control response_limiter(in headers_t hdr,
                         in metadata_t meta,
                         in bit<9> port,
                         in bit<64> interval_ns,
                         out bool is_due) {
    register<answer_t>(BLOOM_CELLS) first_answers;
    register<answer_t>(BLOOM_CELLS) second_answers;
    bit<32> first;
    bit<32> second;

    action hash_ipv4_sender() {
        hash(first, HashAlgorithm.crc32, 32w0, { hdr.ipv4.src_addr, 7w0, port },
             (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0, { hdr.ipv4.src_addr, 7w0, port },
             (bit<32>)BLOOM_CELLS);
    }

    action hash_ipv6_sender() {
        hash(first, HashAlgorithm.crc32, 32w0, { hdr.ipv6.src_addr, 7w0, port },
             (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0, { hdr.ipv6.src_addr, 7w0, port },
             (bit<32>)BLOOM_CELLS);
    }

    /* Reads and writes in one action: on v1model nobody comes in between. */
    action look_and_mark() {
        bit<64> now = meta.snapshot.timestamp_ns;
        bit<24> queue = meta.snapshot.queue_bytes;
        answer_t one;
        answer_t other;
        first_answers.read(one, first);
        second_answers.read(other, second);
        bit<64> one_age = one[87:24] == 0 ? ~64w0 : now - one[87:24];
        bit<64> other_age = other[87:24] == 0 ? ~64w0 : now - other[87:24];
        bit<64> one_wait = queue >= one[23:0] ? interval_ns : interval_ns << 4;
        bit<64> other_wait = queue >= other[23:0] ? interval_ns : interval_ns << 4;
        is_due = one_age >= one_wait || other_age >= other_wait;
        first_answers.write(first, is_due ? now ++ queue : one);
        second_answers.write(second, is_due ? now ++ queue : other);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_sender();
        } else {
            hash_ipv6_sender();
        }
        look_and_mark();
    }
}  /* response_limiter */

#endif  /* RESPONSE_LIMITER_P4 */
