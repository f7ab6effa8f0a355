#ifndef HPCC_FEEDBACK_RESPONSE_LIMITER_P4
#define HPCC_FEEDBACK_RESPONSE_LIMITER_P4

#include "packet.p4"
#include "../../config.p4"
#include "../../headers.p4"
#include "../../metadata.p4"

/*
 * At most one response per flow and interval: a Bloom filter whose cells are the times of the
 * latest response instead of bits, so that it forgets by itself. A flow waits only if all of its
 * cells are recent; two flows that share one cell do not disturb each other. Time 0 means "never".
 */
control response_limiter(in headers_t hdr,
                         in metadata_t meta,
                         in bit<64> interval_ns,
                         out bool is_due) {
    register<bit<64>>(BLOOM_CELLS) first_times;
    register<bit<64>>(BLOOM_CELLS) second_times;
    bit<32> first;
    bit<32> second;

    action hash_ipv4_flow() {
        hash(first, HashAlgorithm.crc32, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, (bit<32>)BLOOM_CELLS);
    }

    action hash_ipv6_flow() {
        hash(first, HashAlgorithm.crc32, 32w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, (bit<32>)BLOOM_CELLS);
    }

    /* Reads and writes in one action: on v1model nobody comes in between. */
    action look_and_mark() {
        bit<64> now = meta.snapshot.timestamp_ns;
        bit<64> first_time;
        bit<64> second_time;
        first_times.read(first_time, first);
        second_times.read(second_time, second);
        is_due = first_time == 0 || now - first_time >= interval_ns ||
                 second_time == 0 || now - second_time >= interval_ns;
        first_times.write(first, is_due ? now : first_time);
        second_times.write(second, is_due ? now : second_time);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_flow();
        } else {
            hash_ipv6_flow();
        }
        look_and_mark();
    }
}  /* response_limiter */

#endif  /* HPCC_FEEDBACK_RESPONSE_LIMITER_P4 */
