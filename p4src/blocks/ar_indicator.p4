#ifndef AR_INDICATOR_P4
#define AR_INDICATOR_P4

#include "../packet.p4"
#include "../coordination/types.p4"
#include "l4_checksum.p4"

/*
 * Makes a switch the packet's point of adaptive routing, in the carrier that the packet has. The DS
 * flags are under the checksum of UDP or TCP, which is kept true by difference.
 */
control ar_indicator(inout headers_t hdr, in bit<32> ar_id) {
    l4_checksum() checksum;

    apply {
        if (hdr.int_md.isValid()) {
            bit<16> old_flags = hdr.int_md.ds_flags;
            bit<16> new_flags = (old_flags & DS_OTHERS) | DS_AR_VALID | (ar_id[15:0] & DS_AR_ID);
            bit<32> added = (bit<32>)new_flags + (bit<32>)(~old_flags);
            hdr.int_md.ds_flags = new_flags;
            checksum.apply(hdr, added, added);
        } else {
            hdr.ccm_tag.ar_valid = 1;
            hdr.ccm_tag.ar_id = ar_id;
        }
    }
}  /* ar_indicator */

#endif  /* AR_INDICATOR_P4 */
