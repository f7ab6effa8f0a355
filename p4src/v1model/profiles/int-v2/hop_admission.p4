#ifndef HOP_ADMISSION_P4
#define HOP_ADMISSION_P4

#include "common/config.p4"
#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"
#include "carrier_change.p4"
#include "int_extent.p4"

/*
 * True if a stack of `stack_words` is a whole number of blocks of `hop_words`: targets multiply but
 * do not divide.
 */
control whole_blocks(in bit<8> hop_words, in bit<8> stack_words, out bool is_whole) {
    bit<32> reciprocal;

    @id(SET_RECIPROCAL_ACTION_ID)
    action set_reciprocal(bit<32> value) {
        reciprocal = value;
    }

    @id(BLOCK_RECIPROCAL_TABLE_ID)
    table block_reciprocal {
        key = { hop_words : exact @name("hop_words"); }
        actions = { set_reciprocal; }
        const default_action = set_reciprocal(0);
        const entries = {
            1 : set_reciprocal(2048);
            2 : set_reciprocal(1024);
            3 : set_reciprocal(683);
            4 : set_reciprocal(512);
            5 : set_reciprocal(410);
            6 : set_reciprocal(342);
            7 : set_reciprocal(293);
            8 : set_reciprocal(256);
            9 : set_reciprocal(228);
            10 : set_reciprocal(205);
            11 : set_reciprocal(187);
            12 : set_reciprocal(171);
            13 : set_reciprocal(158);
            14 : set_reciprocal(147);
            15 : set_reciprocal(137);
            16 : set_reciprocal(128);
            17 : set_reciprocal(121);
            18 : set_reciprocal(114);
            19 : set_reciprocal(108);
            20 : set_reciprocal(103);
            21 : set_reciprocal(98);
            22 : set_reciprocal(94);
            23 : set_reciprocal(90);
            24 : set_reciprocal(86);
            25 : set_reciprocal(82);
            26 : set_reciprocal(79);
            27 : set_reciprocal(76);
            28 : set_reciprocal(74);
            29 : set_reciprocal(71);
            30 : set_reciprocal(69);
            31 : set_reciprocal(67);
        }
    }

    apply {
        reciprocal = 0;
        block_reciprocal.apply();
        bit<32> blocks = (bit<32>)stack_words * reciprocal >> 11;
        is_whole = blocks * (bit<32>)hop_words == (bit<32>)stack_words;
    }
}  /* whole_blocks */

/*
 * Counts the words that the instructions ask of a block, and decides what of them is all ones:
 * what the reserved bits and a domain that this node does not know ask for. `is_served` is false
 * where the words contradict the length of a hop, and where the node has been told to leave
 * unknown sets alone.
 */
control block_plan(in headers_t hdr, inout metadata_t meta, out bool is_served) {
    bool skips_reserved;
    bool skips_domains;

    @id(TREAT_UNKNOWN_ACTION_ID)
    action treat_unknown(bit<1> skip_reserved, bit<1> skip_domains) {
        skips_reserved = skip_reserved == 1;
        skips_domains = skip_domains == 1;
    }

    @id(UNKNOWN_SETS_TABLE_ID)
    table unknown_sets {
        actions = { treat_unknown; }
        default_action = treat_unknown(0, 0);
    }

    apply {
        unknown_sets.apply();
        bit<16> asked = hdr.int_header.instructions;
        bit<16> ds = hdr.int_header.ds_instructions;
        bit<8> reserved = (bit<8>)asked[6:6] + (bit<8>)asked[5:5] + (bit<8>)asked[4:4] +
                          (bit<8>)asked[3:3] + (bit<8>)asked[2:2] + (bit<8>)asked[1:1];
        bit<8> doubles = (bit<8>)asked[11:11] + (bit<8>)asked[10:10] + (bit<8>)asked[9:9];
        bit<8> words = (bit<8>)asked[15:15] + (bit<8>)asked[14:14] + (bit<8>)asked[13:13] +
                       (bit<8>)asked[12:12] + (doubles << 1) + (bit<8>)asked[8:8] +
                       (bit<8>)asked[7:7] + (bit<8>)asked[0:0];
        bit<8> ds_words = ((bit<8>)ds[HP_TX_BYTES] << 1) + (bit<8>)ds[HP_CAPACITY] +
                          (bit<8>)ds[HP_QUEUE_BYTES];
        meta.push.has_ds = hdr.int_header.domain_id == INT_DOMAIN_ID && ds[HP_UNDEFINED] == 0;
        if (meta.push.has_ds) {
            words = words + ds_words;
        }
        bit<8> hop_words = (bit<8>)hdr.int_header.hop_words;
        meta.push.knows_domain = meta.push.has_ds || hdr.int_header.domain_id == 0 && ds == 0;
        meta.push.ones = hop_words - words;
        is_served = hop_words != 0 && words + reserved <= hop_words;
        /* The default domain, and ours, have no words besides those that they name. */
        if (meta.push.knows_domain && words + reserved != hop_words) {
            is_served = false;
        }
        if (skips_reserved && reserved != 0 || skips_domains && !meta.push.knows_domain) {
            is_served = false;
        }
    }
}  /* block_plan */

/*
 * Decides whether this node pushes its block ("INT-MD Metadata Header Format"): all of it or
 * nothing. A packet that cannot take it goes on as it came but for the flag that the format has
 * for the reason:
 *   E  the remaining hop count is already 0
 *   M  the block would exceed the MTU of the egress link, or the length that the carrier has
 */
control hop_admission(inout headers_t hdr, inout metadata_t meta) {
    counter(UNSERVED_CAUSES, CounterType.packets) unserved;
    int_extent() extent;
    block_plan() plan;
    whole_blocks() blocks;
    carrier_change() change;
    bool is_served;
    bool is_whole;
    bool is_too_long;

    action set_flag(bit<32> sum) {
        meta.change.sum = sum;
        meta.change.bytes = 0;
    }

    apply {
        meta.push.wanted = false;
        if (meta.found.carrier != CARRIER_NONE && !hdr.int_header.isValid()) {
            /* The parser stops at types without a format, and at headers that are cut. */
            bool is_unknown = hdr.shim.isValid() && hdr.shim.length >= INT_MD_WORDS;
            unserved.count(is_unknown ? UNSERVED_UNKNOWN_VERSION : UNSERVED_BAD_LENGTH);
        } else if (meta.found.carrier != CARRIER_NONE) {
            extent.apply(hdr, meta);
            bit<8> type = hdr.geneve_option.isValid() ? hdr.geneve_option.type
                                                      : (bit<8>)hdr.shim.type;
            bit<16> hop_bytes = (bit<16>)hdr.int_header.hop_words << 2;
            bit<16> grown_words = (bit<16>)meta.extent.int_words +
                                  (bit<16>)hdr.int_header.hop_words;
            is_too_long = grown_words > 255 ||
                meta.extent.ip_bytes + (bit<32>)hop_bytes > (bit<32>)meta.port.mtu;
            if (hdr.geneve_option.isValid()) {
                bit<8> options = (bit<8>)hdr.geneve.options_length +
                                 (bit<8>)hdr.int_header.hop_words;
                is_too_long = is_too_long || grown_words > 31 || options > 63;
            }
            plan.apply(hdr, meta, is_served);
            blocks.apply((bit<8>)hdr.int_header.hop_words, meta.extent.int_words - INT_MD_WORDS,
                         is_whole);
            if (hdr.int_header.version != INT_VERSION) {
                unserved.count(UNSERVED_UNKNOWN_VERSION);
            } else if (!meta.extent.fits) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (type != (bit<8>)INT_TYPE_MD) {
                /* INT-MX: the packet does not grow, the node reports. */
                meta.report.tracked = true;
            } else if (!is_served) {
                unserved.count(UNSERVED_UNKNOWN_INSTRUCTIONS);
            } else if (meta.push.knows_domain && !is_whole) {
                /* Another domain may have metadata that only its sources push. */
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (hdr.int_header.remaining_hops == 0) {
                set_flag(hdr.int_header.e == 0 ? 32w0x0400 : 0);
                hdr.int_header.e = 1;
                change.apply(hdr, meta, false);
                unserved.count(UNSERVED_HOP_LIMIT);
            } else if (is_too_long) {
                set_flag(hdr.int_header.m == 0 ? 32w0x0200 : 0);
                hdr.int_header.m = 1;
                change.apply(hdr, meta, false);
                unserved.count(UNSERVED_MTU);
            } else {
                meta.push.wanted = true;
                meta.frame_bytes = meta.frame_bytes + (bit<32>)hop_bytes;
            }
        }
    }
}  /* hop_admission */

#endif  /* HOP_ADMISSION_P4 */
