#ifndef V1MODEL_RESPONSE_FILTER_P4
#define V1MODEL_RESPONSE_FILTER_P4

#include "packet.p4"
#include "../../../config.p4"

/* What response_limiter.p4 asks of a target: the cells of a flow, and rows of times. */
control flow_cells(in headers_t hdr, inout metadata_t meta) {
    action hash_ipv4_flow() {
        hash(meta.limit.first_cell, HashAlgorithm.crc32, 16w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w65536);
        hash(meta.limit.second_cell, HashAlgorithm.crc16, 16w0,
             { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w65536);
    }

    action hash_ipv6_flow() {
        hash(meta.limit.first_cell, HashAlgorithm.crc32, 16w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w65536);
        hash(meta.limit.second_cell, HashAlgorithm.crc16, 16w0,
             { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol, meta.l4.src_port,
               meta.l4.dst_port }, 32w65536);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_flow();
        } else {
            hash_ipv6_flow();
        }
    }
}  /* flow_cells */

/* Time 0 means "never". */
control time_row(in bit<16> cell, in bit<32> now, in bool marks, out bit<32> age) {
    register<bit<32>>(BLOOM_CELLS) times;

    action look() {
        bit<32> time;
        times.read(time, (bit<32>)cell);
        age = time == 0 ? 32w0xFFFFFFFF : now - time;
    }

    action mark() {
        look();
        times.write((bit<32>)cell, now);
    }

    apply {
        if (marks) {
            mark();
        } else {
            look();
        }
    }
}  /* time_row */

#endif  /* V1MODEL_RESPONSE_FILTER_P4 */
