#ifndef INT_GROWTH_P4
#define INT_GROWTH_P4

#include "common/headers.p4"
#include "l4_checksum.p4"

/*
 * Keeps every length and the TCP or UDP checksum true, by difference, after a block whose 16-bit
 * words have the sum `block_sum` has been pushed.
 */
control int_growth(inout headers_t hdr, in bit<32> block_sum)(bit<8> hop_words) {
    l4_checksum() checksum;

    /* Lengths of headers that are not there may change: nobody sees them. */
    action grow() {
        bit<16> bytes = (bit<16>)hop_words << 2;
        hdr.int_md.remaining_hops = hdr.int_md.remaining_hops - 1;
        hdr.int_shim.length = hdr.int_shim.length + hop_words;
        hdr.ipv4.total_len = hdr.ipv4.total_len + bytes;
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + bytes;
        hdr.udp.length = hdr.udp.length + bytes;
    }

    apply {
        grow();
        /* The remaining hop count went down by one (~1), the shim's length is in the low byte of
         * its word, and the length is in the pseudo-header and in UDP's own header. */
        bit<32> bytes = (bit<32>)hop_words << 2;
        bit<32> tcp_sum = block_sum + 0xFFFE + (bit<32>)hop_words + bytes;
        checksum.apply(hdr, tcp_sum, tcp_sum + bytes);
    }
}  /* int_growth */

#endif  /* INT_GROWTH_P4 */
