#ifndef PORTABLE_FLOW_CELLS_P4
#define PORTABLE_FLOW_CELLS_P4

#include "feedback_metadata.p4"
#include "../flow.p4"

/* The cells of a flow in both rows of the filter of response_limiter.p4, which have 2^16 each. */
control flow_cells(in headers_t hdr, inout metadata_t meta) {
    CRC32_HASH(16, first_ipv4);
    CRC16_HASH(16, second_ipv4);
    CRC32_HASH(16, first_ipv6);
    CRC16_HASH(16, second_ipv6);

    action hash_ipv4_flow() {
        HASH(16, meta.limit.first_cell, first_ipv4, IPV4_FLOW);
        HASH(16, meta.limit.second_cell, second_ipv4, IPV4_FLOW);
    }

    action hash_ipv6_flow() {
        HASH(16, meta.limit.first_cell, first_ipv6, IPV6_FLOW);
        HASH(16, meta.limit.second_cell, second_ipv6, IPV6_FLOW);
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_flow();
        } else {
            hash_ipv6_flow();
        }
    }
}  /* flow_cells */

#endif  /* PORTABLE_FLOW_CELLS_P4 */
