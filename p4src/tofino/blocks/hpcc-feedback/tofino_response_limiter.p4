#ifndef TOFINO_RESPONSE_LIMITER_P4
#define TOFINO_RESPONSE_LIMITER_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "feedback_metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "sender_cells.p4"
#include "time_row.p4"

/*
 * At most one response per sender, port and interval: a Bloom filter whose cells are the times of
 * the latest response instead of bits, so that it forgets by itself. A sender waits only if all of
 * its cells are recent; two that share one cell do not disturb each other. A packet looks, and the
 * copy that it makes marks both cells, since a target may not be able to make the mark of one cell
 * depend on the other; of copies that come meanwhile all but the first have to wait.
 */
control tofino_response_limiter(in headers_t hdr, inout metadata_t meta, in port_t egress_port) {
    sender_cells() cells;
    time_row() first_row;
    time_row() second_row;
    bit<32> now;
    bit<32> first_age;
    bit<32> second_age;

    action take_time() {
        now = meta.departure.timestamp_ns[31:0];
    }

    action subtract_ages() {
        meta.limit.first_wait = meta.feedback.interval_ns |-| first_age;
        meta.limit.second_wait = meta.feedback.interval_ns |-| second_age;
    }

    apply {
        take_time();
        cells.apply(hdr, meta, egress_port);
        first_row.apply(meta.limit.first_cell, now, meta.feedback.is_copy, first_age);
        second_row.apply(meta.limit.second_cell, now, meta.feedback.is_copy, second_age);
        subtract_ages();
    }
}  /* tofino_response_limiter */

#endif  /* TOFINO_RESPONSE_LIMITER_P4 */
