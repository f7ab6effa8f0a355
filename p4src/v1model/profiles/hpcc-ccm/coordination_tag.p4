#ifndef COORDINATION_TAG_P4
#define COORDINATION_TAG_P4

#include "common/ids.p4"
#include "hpcc_ccm_headers.p4"
#include "common/config.p4"
#include "hpcc_ccm_types.p4"
#include "v1model/blocks/l4_checksum.p4"

/*
 * Reads the coordination tag: from the DS flags of INT where it is present, else from the header of
 * its own. A packet without either does not take part, nor does IPv4 with options.
 */
control coordination_tag(in headers_t hdr, inout metadata_t meta) {
    apply {
        meta.tag.takes_part = false;
        meta.tag.cc = 0;
        meta.tag.ar_valid = 0;
        meta.tag.ar_id = 0;
        bool is_plain = hdr.ipv6.isValid() || (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5);
        if (hdr.int_md.isValid()) {
            meta.tag.takes_part = hdr.int_md.version == INT_VERSION &&
                                  hdr.int_md.domain_id == INT_DOMAIN_ID;
            meta.tag.cc = hdr.int_md.ds_flags[15:15];
            meta.tag.ar_valid = hdr.int_md.ds_flags[14:14];
            meta.tag.ar_id = (bit<32>)(hdr.int_md.ds_flags & DS_AR_ID);
        } else if (is_plain && hdr.ccm_tag.isValid()) {
            meta.tag.takes_part = true;
            meta.tag.cc = hdr.ccm_tag.cc;
            meta.tag.ar_valid = hdr.ccm_tag.ar_valid;
            meta.tag.ar_id = hdr.ccm_tag.ar_id;
        }
    }
}  /* coordination_tag */

/*
 * Takes the stand-alone tag out at ports to hosts, which would not know it. It runs before the
 * snapshot, so that the bytes that are counted are those that leave.
 */
control tag_removal(inout headers_t hdr, inout standard_metadata_t standard_metadata) {
    @id(STRIP_TAG_ACTION_ID)
    action strip_tag() {
        standard_metadata.packet_length = standard_metadata.packet_length - CCM_TAG_BYTES;
        hdr.ethernet.ether_type = hdr.ccm_tag.ether_type;
        hdr.ccm_tag.setInvalid();
    }

    @id(KEEP_TAG_ACTION_ID)
    action keep_tag() {
    }

    @id(TAG_END_TABLE_ID)
    table tag_end {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { strip_tag; keep_tag; }
        const default_action = keep_tag;
        size = PORT_COUNT;
    }

    apply {
        if (hdr.ccm_tag.isValid()) {
            tag_end.apply();
        }
    }
}  /* tag_removal */

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

#endif  /* COORDINATION_TAG_P4 */
