#ifndef TOFINO_INT_WATCH_P4
#define TOFINO_INT_WATCH_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "edge_metadata.p4"
#include "one_in.p4"

/*
 * Decides as int_watch.p4 of v1model does which packets shall carry telemetry, for
 * targets whose registers cannot see what a table entry says: the entry's interval and counter go
 * into metadata, and one_in.p4 counts.
 */
control tofino_int_watch(in headers_t hdr, inout metadata_t meta) {
    one_in() sampling;

    action add_telemetry(bit<8> max_hops) {
        meta.source.wanted = true;
        meta.source.max_hops = max_hops;
    }

    /* The first of `interval` packets; `slot` is the entry's own counter, and may be shared. */
    action add_telemetry_to_one_in(bit<32> interval, bit<32> slot, bit<8> max_hops) {
        meta.source.wanted = true;
        meta.source.max_hops = max_hops;
        meta.sampling.interval = interval;
        meta.sampling.slot = slot;
    }

    action no_telemetry() {
        meta.source.wanted = false;
    }

    table watch_ipv4 {
        key = {
            hdr.ipv4.src_addr  : ternary @name("hdr.ipv4.src_addr");
            hdr.ipv4.dst_addr  : ternary @name("hdr.ipv4.dst_addr");
            meta.l4.protocol   : ternary @name("protocol");
            meta.l4.src_port   : ternary @name("src_port");
            meta.l4.dst_port   : ternary @name("dst_port");
            meta.l4.dscp       : ternary @name("dscp");
        }
        actions = { add_telemetry; add_telemetry_to_one_in; no_telemetry; }
        const default_action = no_telemetry;
        size = WATCH_TABLE_SIZE;
    }

    table watch_ipv6 {
        key = {
            hdr.ipv6.src_addr  : ternary @name("hdr.ipv6.src_addr");
            hdr.ipv6.dst_addr  : ternary @name("hdr.ipv6.dst_addr");
            meta.l4.protocol   : ternary @name("protocol");
            meta.l4.src_port   : ternary @name("src_port");
            meta.l4.dst_port   : ternary @name("dst_port");
            meta.l4.dscp       : ternary @name("dscp");
        }
        actions = { add_telemetry; add_telemetry_to_one_in; no_telemetry; }
        const default_action = no_telemetry;
        size = WATCH_TABLE_SIZE;
    }

    apply {
        meta.source.wanted = false;
        meta.sampling.interval = 0;
        meta.sampling.skipped = 0;
        if (meta.deep.is_complete && meta.l4.dscp != INT_DSCP) {
            if (hdr.ipv4.isValid()) {
                watch_ipv4.apply();
            } else {
                watch_ipv6.apply();
            }
        }
        /* A packet that is dropped is not one of them. */
        if (meta.sampling.interval != 0 && meta.route.found &&
            meta.arrival.drop_cause == NO_CAUSE) {
            sampling.apply(meta.sampling.slot, meta.sampling.interval, meta.sampling.skipped);
        }
    }
}  /* tofino_int_watch */

#endif  /* TOFINO_INT_WATCH_P4 */
