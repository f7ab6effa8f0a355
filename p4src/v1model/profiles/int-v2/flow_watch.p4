#ifndef FLOW_WATCH_P4
#define FLOW_WATCH_P4

#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"

/* Leaves all but the first of each `interval` packets of an entry alone. */
control flow_sampling(inout metadata_t meta) {
    register<bit<32>>(WATCH_TABLE_SIZE) skipped;

    apply {
        if (meta.watch.interval > 1) {
            bit<32> count;
            skipped.read(count, meta.watch.slot);
            meta.watch.wanted = meta.watch.wanted && count == 0;
            meta.report.tracked = meta.report.tracked && count == 0;
            count = count + 1;
            skipped.write(meta.watch.slot, count >= meta.watch.interval ? 0 : count);
        }
    }
}  /* flow_sampling */

/*
 * The flow watchlist: which packets an INT source adds a header to, with which instructions, and
 * how the header is announced, and of which this node tells without a header (INT-XD). Packets that
 * carry INT already are left alone.
 */
control flow_watch(in headers_t hdr, inout metadata_t meta) {
    flow_sampling() sampling;

    @id(ADD_INT_MD_ACTION_ID)
    action add_int_md(bit<8> carrier, bit<16> instructions, bit<16> domain_id,
                      bit<16> ds_instructions, bit<5> hop_words, bit<8> max_hops, bit<1> discard,
                      bit<32> interval, bit<32> slot) {
        meta.watch.wanted = true;
        meta.watch.type = INT_TYPE_MD;
        meta.watch.carrier = carrier;
        meta.watch.instructions = instructions;
        meta.watch.domain_id = domain_id;
        meta.watch.ds_instructions = ds_instructions;
        meta.watch.hop_words = hop_words;
        meta.watch.max_hops = max_hops;
        meta.watch.discard = discard;
        meta.watch.interval = interval;
        meta.watch.slot = slot;
    }

    /* INT-MX has no checksum complement: bit 15 is not for it. */
    @id(ADD_INT_MX_ACTION_ID)
    action add_int_mx(bit<8> carrier, bit<16> instructions, bit<16> domain_id,
                      bit<16> ds_instructions, bit<1> discard,
                      bit<32> interval, bit<32> slot) {
        meta.watch.wanted = true;
        meta.watch.type = INT_TYPE_MX;
        meta.watch.carrier = carrier;
        meta.watch.instructions = instructions & 0xFFFE;
        meta.watch.domain_id = domain_id;
        meta.watch.ds_instructions = ds_instructions;
        meta.watch.hop_words = 0;
        meta.watch.max_hops = 0;
        meta.watch.discard = discard;
        meta.watch.interval = interval;
        meta.watch.slot = slot;
    }

    /* INT-XD: the packet stays as it is, and this node reports it. */
    @id(EXPORT_INT_ACTION_ID)
    action export_int(bit<16> instructions, bit<16> domain_id, bit<16> ds_instructions,
                      bit<32> interval, bit<32> slot) {
        meta.report.tracked = true;
        meta.watch.instructions = instructions;
        meta.watch.domain_id = domain_id;
        meta.watch.ds_instructions = ds_instructions;
        meta.watch.interval = interval;
        meta.watch.slot = slot;
    }

    @id(ADD_NOTHING_ACTION_ID)
    action add_nothing() {
    }

    @id(INT_WATCH_IPV4_TABLE_ID)
    table watch_ipv4 {
        key = {
            hdr.ipv4.src_addr : ternary @name("hdr.ipv4.src_addr");
            hdr.ipv4.dst_addr : ternary @name("hdr.ipv4.dst_addr");
            meta.l4.protocol  : ternary @name("protocol");
            meta.l4.src_port  : ternary @name("src_port");
            meta.l4.dst_port  : ternary @name("dst_port");
            meta.l4.dscp      : ternary @name("dscp");
        }
        actions = { add_int_md; add_int_mx; export_int; add_nothing; }
        const default_action = add_nothing;
        size = WATCH_TABLE_SIZE;
    }

    @id(INT_WATCH_IPV6_TABLE_ID)
    table watch_ipv6 {
        key = {
            hdr.ipv6.src_addr : ternary @name("hdr.ipv6.src_addr");
            hdr.ipv6.dst_addr : ternary @name("hdr.ipv6.dst_addr");
            meta.l4.protocol  : ternary @name("protocol");
            meta.l4.src_port  : ternary @name("src_port");
            meta.l4.dst_port  : ternary @name("dst_port");
            meta.l4.dscp      : ternary @name("dscp");
        }
        actions = { add_int_md; add_int_mx; export_int; add_nothing; }
        const default_action = add_nothing;
        size = WATCH_TABLE_SIZE;
    }

    apply {
        meta.watch.wanted = false;
        meta.watch.interval = 0;
        if (meta.found.is_complete && meta.found.carrier == CARRIER_NONE) {
            if (hdr.ipv4.isValid()) {
                watch_ipv4.apply();
            } else {
                watch_ipv6.apply();
            }
            sampling.apply(meta);
        }
    }
}  /* flow_watch */

#endif  /* FLOW_WATCH_P4 */
