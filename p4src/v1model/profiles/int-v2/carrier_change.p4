#ifndef CARRIER_CHANGE_P4
#define CARRIER_CHANGE_P4

#include "int_v2_metadata.p4"
#include "v1model/blocks/ones_complement.p4"

/*
 * Keeps the lengths of IP and UDP and the checksum of the carrier true after the change in
 * `meta.change`: UDP's, TCP's or that of GRE, by difference. A carrier without a checksum stays
 * without. With a complement of the own block the checksum stays as it is, and the complement makes
 * it right; where no checksum has to be kept, the complement says "not available".
 */
control carrier_change(inout headers_t hdr, inout metadata_t meta, in bool has_complement) {
    bit<32> sum;
    bool has_checksum;

    action grow() {
        hdr.ipv4.total_len = hdr.ipv4.total_len + meta.change.bytes;
        hdr.ipv6.payload_length = hdr.ipv6.payload_length + meta.change.bytes;
        hdr.udp.length = hdr.udp.length + meta.change.bytes;
        meta.found.ip_payload = meta.found.ip_payload + meta.change.bytes;
    }

    /* The high word is zero, the low one makes the sum of all changes zero. */
    action complement() {
        hdr.own_complement.value = 16w0 ++ checksum_plus(0xFFFF, sum);
    }

    apply {
        grow();
        /* A negative length takes from the sum: its complement comes in. */
        bit<32> bytes = meta.change.bytes[15:15] == 1
            ? (bit<32>)(meta.change.bytes - 1) : (bit<32>)meta.change.bytes;
        sum = meta.change.sum;
        has_checksum = true;
        if (hdr.gre.isValid()) {
            has_checksum = hdr.gre_checksum.isValid();
        } else if (hdr.tcp.isValid()) {
            /* The length is in the pseudo-header, and in UDP's own header, too. */
            sum = sum + bytes;
        } else {
            sum = sum + bytes + bytes;
            has_checksum = hdr.udp.checksum != 0;
        }
        if (has_complement && has_checksum) {
            complement();
        } else if (has_checksum) {
            if (hdr.gre.isValid()) {
                hdr.gre_checksum.checksum = checksum_plus(hdr.gre_checksum.checksum, sum);
            } else if (hdr.tcp.isValid()) {
                hdr.tcp.checksum = checksum_plus(hdr.tcp.checksum, sum);
            } else {
                hdr.udp.checksum = udp_checksum_plus(hdr.udp.checksum, sum);
            }
        }
    }
}  /* carrier_change */

#endif  /* CARRIER_CHANGE_P4 */
