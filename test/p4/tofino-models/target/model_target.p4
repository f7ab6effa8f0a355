#ifndef MODEL_TARGET_P4
#define MODEL_TARGET_P4

#include "tofino/blocks/tofino_metadata.p4"
#include "common/config.p4"
#include "common/types.p4"

/* Interface of a target for Tofino blocks; p4src/tofino/target/target.p4 has the same. */
#define PACKET_COUNTER(size, name) counter(size, CounterType.packets) name
#define FRAME_COUNTER(index, size, name) counter(size, CounterType.packets_and_bytes) name
#define COUNT(name, index) name.count((bit<32>)index)

/* Words that are read and changed in one action, whose `body` knows `value` and `value_before`. */
#define REGISTER(index, size, name) register<bit<32>>(size) name
#define REGISTER_ACTION(index, name, action_name, body) \
    action action_name(in bit<32> cell, out bit<32> value_before) { \
        bit<32> value; \
        name.read(value, cell); \
        body \
        name.write(cell, value); \
    }
#define EXECUTE(result, action_name, index) action_name((bit<32>)index, result)

/* Time 0 means "never". */
#define AGE(now, time) (time == 0 ? 32w0xFFFFFFFF : now - time)

/* Digests of `bits`, 16 or 32, without a base; the divisor leaves all of them. */
#define CRC32_HASH(bits, name) const HashAlgorithm name = HashAlgorithm.crc32
#define CRC16_HASH(bits, name) const HashAlgorithm name = HashAlgorithm.crc16
#define HASH(bits, result, name, ...) \
    hash(result, name, (bit<bits>)0, { __VA_ARGS__ }, HASH_RANGE_##bits)
#define HASH_RANGE_16 32w0x10000
#define HASH_RANGE_32 32w0xFFFFFFFF

#define ECMP_SELECTOR(name, members, choice) \
    action_selector(HashAlgorithm.crc16, ECMP_MEMBER_COUNT, ECMP_HASH_WIDTH) name

/* Checksums are computed from the fields, so parsers sum nothing. Options of TCP are read. */
#define SUM(name)
#define SUM_LESS(name, ...)
#define TAKES_TWICE
#define KEEP_SUM(name)
#define VERIFY_IPV4(verification)
#define PARSE_TCP_OPTIONS(next) \
    packet.extract(hdr.tcp_options, ((bit<32>)hdr.tcp.data_offset - 5) * 32); \
    transition next

/* A packet that claims more than came is dropped, for its version where that is one. */
control frame_check(in headers_t hdr, inout metadata_t meta) {
    apply {
        bit<32> ipv4_bytes = (bit<32>)(ETHERNET_BYTES) + (bit<32>)hdr.ipv4.total_len;
        bit<32> ipv6_bytes = (bit<32>)(ETHERNET_BYTES + IPV6_BYTES) +
                             (bit<32>)hdr.ipv6.payload_length;
        if (hdr.ipv4.isValid() && ipv4_bytes > meta.target.frame_bytes) {
            meta.arrival.drop_cause = (bit<8>)DROP_BAD_IPV4;
        } else if (hdr.ipv6.isValid() && ipv6_bytes > meta.target.frame_bytes) {
            meta.arrival.drop_cause = (bit<8>)DROP_BAD_IPV6;
        }
    }
}  /* frame_check */

/* In the units that the controller gives for the port. */
control model_departure(inout metadata_t meta, in standard_metadata_t standard_metadata) {
    action describe() {
        /* 19 + 16 bits fit in 40. */
        bit<40> queue_bytes = (bit<40>)standard_metadata.deq_qdepth *
                              (bit<40>)meta.port.queue_unit_bytes;
        meta.departure.ingress_port = standard_metadata.ingress_port;
        meta.departure.egress_port = standard_metadata.egress_port;
        meta.departure.queue_id = (bit<8>)standard_metadata.priority;
        meta.departure.queue_bytes =
            queue_bytes > 0xFFFFFFFF ? 32w0xFFFFFFFF : queue_bytes[31:0];
        meta.departure.timestamp_ns =
            standard_metadata.egress_global_timestamp * (bit<48>)meta.port.clock_unit_ns;
        meta.departure.frame_bytes = standard_metadata.packet_length;
    }

    apply {
        describe();
    }
}  /* model_departure */

#endif  /* MODEL_TARGET_P4 */
