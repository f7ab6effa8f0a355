#ifndef INT_WATCH_P4
#define INT_WATCH_P4

#include "common/ids.p4"
#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * The first half of an INT source ("INT source" of INT v2.1): which packets of hosts that cannot do
 * INT shall carry telemetry. Both lists have the DSCP as a key, so that an entry may take marked
 * packets only. Packets with the DSCP of INT have been served already.
 */
control int_watch(in headers_t hdr,
                  inout metadata_t meta) {
    register<bit<32>>(WATCH_TABLE_SIZE) skipped;

    @id(ADD_TELEMETRY_ACTION_ID)
    action add_telemetry(bit<8> max_hops) {
        meta.source.wanted = true;
        meta.source.max_hops = max_hops;
    }

    /* The first of `interval` packets; `slot` is the entry's own counter, and may be shared. */
    @id(ADD_TELEMETRY_TO_ONE_IN_ACTION_ID)
    action add_telemetry_to_one_in(bit<32> interval, bit<32> slot, bit<8> max_hops) {
        bit<32> count;
        skipped.read(count, slot);
        meta.source.wanted = count == 0;
        meta.source.max_hops = max_hops;
        count = count + 1;
        skipped.write(slot, count >= interval ? 0 : count);
    }

    @id(NO_TELEMETRY_ACTION_ID)
    action no_telemetry() {
        meta.source.wanted = false;
    }

    @id(WATCH_IPV4_TABLE_ID)
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

    @id(WATCH_IPV6_TABLE_ID)
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
        if (meta.deep.is_complete && meta.l4.dscp != INT_DSCP) {
            if (hdr.ipv4.isValid()) {
                watch_ipv4.apply();
            } else {
                watch_ipv6.apply();
            }
        }
    }
}  /* int_watch */

#endif  /* INT_WATCH_P4 */
