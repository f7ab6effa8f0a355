#ifndef TNA_RESPONSE_FILTER_P4
#define TNA_RESPONSE_FILTER_P4

#include "packet.p4"
#include "../../../config.p4"

/*
 * What response_limiter.p4 asks of a target: the cells of a flow, and rows of times. Ages are taken
 * modulo 2^32 ns, so that after 4.3 s a cell looks recent again for one interval.
 */
control flow_cells(in headers_t hdr, inout metadata_t meta) {
    Hash<bit<16>>(HashAlgorithm_t.CRC32) first_ipv4;
    Hash<bit<16>>(HashAlgorithm_t.CRC16) second_ipv4;
    Hash<bit<16>>(HashAlgorithm_t.CRC32) first_ipv6;
    Hash<bit<16>>(HashAlgorithm_t.CRC16) second_ipv6;

    action hash_ipv4_flow() {
        meta.limit.first_cell =
            first_ipv4.get({ hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol,
                             meta.l4.src_port, meta.l4.dst_port });
        meta.limit.second_cell =
            second_ipv4.get({ hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol,
                              meta.l4.src_port, meta.l4.dst_port });
    }

    action hash_ipv6_flow() {
        meta.limit.first_cell =
            first_ipv6.get({ hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol,
                             meta.l4.src_port, meta.l4.dst_port });
        meta.limit.second_cell =
            second_ipv6.get({ hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol,
                              meta.l4.src_port, meta.l4.dst_port });
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_flow();
        } else {
            hash_ipv6_flow();
        }
    }
}  /* flow_cells */

control time_row(in bit<16> cell, in bit<32> now, in bool marks, out bit<32> age) {
    Register<bit<32>, bit<16>>(BLOOM_CELLS, 0) times;

    RegisterAction<bit<32>, bit<16>, bit<32>>(times) looking = {
        void apply(inout bit<32> time, out bit<32> since) {
            since = now - time;
        }
    };

    RegisterAction<bit<32>, bit<16>, bit<32>>(times) marking = {
        void apply(inout bit<32> time, out bit<32> since) {
            since = now - time;
            time = now;
        }
    };

    action look() {
        age = looking.execute(cell);
    }

    action mark() {
        age = marking.execute(cell);
    }

    apply {
        if (marks) {
            mark();
        } else {
            look();
        }
    }
}  /* time_row */

#endif  /* TNA_RESPONSE_FILTER_P4 */
