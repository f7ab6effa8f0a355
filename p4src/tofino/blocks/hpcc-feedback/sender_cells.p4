#ifndef TOFINO_SENDER_CELLS_P4
#define TOFINO_SENDER_CELLS_P4

#include "common/headers.p4"
#include "feedback_metadata.p4"

/*
 * The cells of a sender of packets to a port in both rows of the filter of response_limiter.p4,
 * which have 2^16 each.
 */
control sender_cells(in headers_t hdr, inout metadata_t meta, in port_t egress_port) {
    CRC32_HASH(16, first_ipv4);
    CRC16_HASH(16, second_ipv4);
    CRC32_HASH(16, first_ipv6);
    CRC16_HASH(16, second_ipv6);

    action hash_ipv4_sender() {
        HASH(16, meta.limit.first_cell, first_ipv4, hdr.ipv4.src_addr, 7w0, egress_port);
        HASH(16, meta.limit.second_cell, second_ipv4, hdr.ipv4.src_addr, 7w0, egress_port);
    }

    action hash_ipv6_sender() {
        HASH(16, meta.limit.first_cell, first_ipv6, hdr.ipv6.src_addr, 7w0, egress_port);
        HASH(16, meta.limit.second_cell, second_ipv6, hdr.ipv6.src_addr, 7w0, egress_port);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_sender();
        } else {
            hash_ipv6_sender();
        }
    }
}  /* sender_cells */

#endif  /* TOFINO_SENDER_CELLS_P4 */
