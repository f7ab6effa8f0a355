#ifndef ONES_COMPLEMENT_P4
#define ONES_COMPLEMENT_P4

/*
 * Internet checksums by difference (RFC 1624, equation 3): recomputing a checksum would bless a
 * packet that was damaged before it came here. `added` is a sum of up to 65535 words of 16 bits
 * that came in; of a word that went, its complement came in.
 */
bit<16> checksum_plus(in bit<16> checksum, in bit<32> added) {
    bit<32> total = (bit<32>)(~checksum) + added;
    total = (total & 0xFFFF) + (total >> 16);
    total = (total & 0xFFFF) + (total >> 16);
    return ~total[15:0];
}

/*
 * As above for UDP: zero means "no checksum" and stays, and a result of zero is sent as all ones.
 */
bit<16> udp_checksum_plus(in bit<16> checksum, in bit<32> added) {
    bit<16> result = checksum_plus(checksum, added);
    result = result == 0 ? 16w0xFFFF : result;
    return checksum == 0 ? 16w0 : result;
}

#endif  /* ONES_COMPLEMENT_P4 */
