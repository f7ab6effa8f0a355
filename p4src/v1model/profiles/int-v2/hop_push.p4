#ifndef HOP_PUSH_P4
#define HOP_PUSH_P4

#include "carrier_change.p4"
#include "own_block.p4"

/* Pushes the block of this node on top of the stack, with all lengths and the checksum. */
control hop_push(inout headers_t hdr, inout metadata_t meta,
                 in standard_metadata_t standard_metadata) {
    own_block_begin() begin;
    own_block_end() end;
    own_domain_words() domain_words;
    own_ones() ones;
    carrier_change() change;
    bit<32> sum;

    action add_complement() {
        hdr.own_complement.setValid();
        hdr.own_complement.value = 0xFFFFFFFF;
    }

    /* The hop count goes down by one; the length is in the low byte of its word. */
    action count_hop() {
        hdr.int_header.remaining_hops = hdr.int_header.remaining_hops - 1;
        hdr.shim.length = hdr.shim.length + (bit<8>)hdr.int_header.hop_words;
        sum = 0xFFFE + (bit<32>)hdr.int_header.hop_words;
        meta.change.bytes = (bit<16>)hdr.int_header.hop_words << 2;
    }

    /* Geneve also has the length of all options, in the low bits of its first byte. */
    action grow_option() {
        hdr.geneve_option.length = hdr.geneve_option.length + hdr.int_header.hop_words;
        hdr.geneve.options_length = hdr.geneve.options_length + (bit<6>)hdr.int_header.hop_words;
        sum = sum + ((bit<32>)hdr.int_header.hop_words << 8);
    }

    apply {
        bit<16> asked = hdr.int_header.instructions;
        count_hop();
        if (hdr.geneve_option.isValid()) {
            grow_option();
        }
        begin.apply(hdr, meta, sum, asked, standard_metadata);
        end.apply(hdr, meta, sum, asked);
        ones.apply(hdr, meta.push.ones);
        if (meta.push.has_ds) {
            domain_words.apply(hdr, meta, sum, hdr.int_header.ds_instructions);
        }
        bool has_complement = asked[0:0] == 1;
        if (has_complement) {
            add_complement();
        }
        meta.change.sum = sum;
        change.apply(hdr, meta, has_complement);
    }
}  /* hop_push */

#endif  /* HOP_PUSH_P4 */
