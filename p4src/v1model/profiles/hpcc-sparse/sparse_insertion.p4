#ifndef SPARSE_INSERTION_P4
#define SPARSE_INSERTION_P4

#include "common/ids.p4"
#include "hpcc_sparse_headers.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/types.p4"

/*
 * Telemetry in fewer packets than ask (draft-pan-tsvwg-hpccplus-00 section 6: "less frequently,
 * e.g., once per RTT or upon congestion happening"). At a port with an entry a packet gets this
 * node's hop
 *   - when its flow has had none for the interval,
 *   - when it leaves a queue behind it that is as long as the threshold, or
 *   - when switches before this one have pushed theirs, so that what the first one begins by time
 *     tells of the whole path. What congestion begins tells of the rest of the path.
 * Others leave as if they had not asked. Ports without an entry serve every packet.
 *
 * Times are those of the latest hop of a flow, in two cells by two hashes as in
 * response_limiter.p4: flows that share one cell do not disturb each other. 0 means "never".
 */
control sparse_insertion(in headers_t hdr,
                         inout metadata_t meta,
                         in standard_metadata_t standard_metadata) {
    counter(INSERTION_OUTCOMES, CounterType.packets) outcomes;
    register<bit<64>>(BLOOM_CELLS) first_times;
    register<bit<64>>(BLOOM_CELLS) second_times;
    bit<32> first;
    bit<32> second;
    bit<64> interval;
    bool chooses;
    bool congested;
    bool anyway;
    bool due;

    @id(INSERT_WHEN_ACTION_ID)
    action insert_when(bit<24> queue_bytes, bit<64> interval_ns) {
        bit<40> queue = (bit<40>)standard_metadata.deq_qdepth *
                        (bit<40>)meta.port.queue_unit_bytes;
        congested = queue >= (bit<40>)queue_bytes;
        interval = interval_ns;
        chooses = true;
    }

    @id(INSERT_ALWAYS_ACTION_ID)
    action insert_always() {
    }

    @id(INSERTION_TABLE_ID)
    table insertion {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { insert_when; insert_always; }
        const default_action = insert_always;
        size = PORT_COUNT;
    }

    action hash_ipv4_flow() {
        hash(first, HashAlgorithm.crc32, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.src_port, meta.l4.dst_port,
               meta.l4.protocol, 7w0, standard_metadata.egress_port }, (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.src_port, meta.l4.dst_port,
               meta.l4.protocol, 7w0, standard_metadata.egress_port }, (bit<32>)BLOOM_CELLS);
    }

    action hash_ipv6_flow() {
        hash(first, HashAlgorithm.crc32, 32w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.src_port, meta.l4.dst_port,
               meta.l4.protocol, 7w0, standard_metadata.egress_port }, (bit<32>)BLOOM_CELLS);
        hash(second, HashAlgorithm.crc16, 32w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.src_port, meta.l4.dst_port,
               meta.l4.protocol, 7w0, standard_metadata.egress_port }, (bit<32>)BLOOM_CELLS);
    }

    /* Reads and writes in one action: on v1model nobody comes in between. */
    action look_and_mark() {
        bit<64> now = (bit<64>)standard_metadata.egress_global_timestamp *
                      (bit<64>)meta.port.clock_unit_ns;
        bit<64> first_time;
        bit<64> second_time;
        first_times.read(first_time, first);
        second_times.read(second_time, second);
        due = first_time == 0 || now - first_time >= interval ||
              second_time == 0 || now - second_time >= interval;
        first_times.write(first, due || anyway ? now : first_time);
        second_times.write(second, due || anyway ? now : second_time);
    }

    apply {
        chooses = false;
        congested = false;
        interval = 0;
        if (meta.telemetry.push) {
            insertion.apply();
        }
        if (chooses) {
            bool follows = hdr.int_shim.length > INT_MD_WORDS;
            anyway = follows || congested;
            if (hdr.ipv4.isValid()) {
                hash_ipv4_flow();
            } else {
                hash_ipv6_flow();
            }
            look_and_mark();
            if (follows) {
                outcomes.count(INSERTION_FOLLOWED);
            } else if (congested) {
                outcomes.count(INSERTION_CONGESTED);
            } else if (due) {
                outcomes.count(INSERTION_DUE);
            } else {
                meta.telemetry.push = false;
                outcomes.count(INSERTION_SPARED);
            }
        }
    }
}  /* sparse_insertion */

#endif  /* SPARSE_INSERTION_P4 */
