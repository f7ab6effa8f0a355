#ifndef ECN_MARK_P4
#define ECN_MARK_P4

#include "common/ids.p4"
#include "queue_headers.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "v1model/blocks/ones_complement.p4"

/* RFC 3168 section 5. */
const bit<2> ECN_ECT1 = 1;
const bit<2> ECN_ECT0 = 2;
const bit<2> ECN_CE = 3;

/*
 * Marks ECN-capable packets as congested (RFC 3168) by the length of their queue when they leave:
 * above one threshold, or with a probability that rises between two, as RED does, from 0 at
 * `min_bytes` to `max_probability` / 65536 at `max_bytes`, and is 1 from there on.
 */
control ecn_mark(inout headers_t hdr,
                 in metadata_t meta,
                 in standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets) marks;
    bool marked;

    @id(MARK_ABOVE_ACTION_ID)
    action mark_above(bit<32> bytes) {
        marked = meta.queue.own_bytes >= bytes;
    }

    @id(MARK_BETWEEN_ACTION_ID)
    action mark_between(bit<32> min_bytes, bit<32> max_bytes, bit<16> max_probability) {
        bit<16> chance;
        random(chance, 0, 0xFFFF);
        /*
         * chance / 65536 < max_probability / 65536 * (queue - min) / (max - min), without division.
         */
        bit<48> left = (bit<48>)chance * (bit<48>)(max_bytes - min_bytes);
        bit<48> right = (bit<48>)max_probability * (bit<48>)(meta.queue.own_bytes |-| min_bytes);
        marked = meta.queue.own_bytes >= max_bytes || left < right;
    }

    @id(NEVER_MARK_ACTION_ID)
    action never_mark() {
    }

    @id(ECN_THRESHOLD_TABLE_ID)
    table ecn_threshold {
        key = {
            standard_metadata.egress_port : exact @name("standard_metadata.egress_port");
            standard_metadata.priority    : exact @name("queue");
        }
        actions = { mark_above; mark_between; never_mark; }
        const default_action = never_mark;
        size = QUEUE_COUNT;
    }

    apply {
        marked = false;
        bit<2> ecn = hdr.ipv4.isValid() ? hdr.ipv4.ecn : hdr.ipv6.ecn;
        if (ecn == ECN_ECT0 || ecn == ECN_ECT1) {
            ecn_threshold.apply();
        }
        if (marked) {
            /* Only headers with options keep this; the others are recomputed. */
            hdr.ipv4.checksum =
                checksum_plus(hdr.ipv4.checksum, 0xFFFF + (bit<32>)(ECN_CE - ecn));
            hdr.ipv4.ecn = ECN_CE;
            hdr.ipv6.ecn = ECN_CE;
            marks.count((bit<32>)standard_metadata.egress_port);
        }
    }
}  /* ecn_mark */

#endif  /* ECN_MARK_P4 */
