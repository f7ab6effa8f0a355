#ifndef COORDINATION_TAG_P4
#define COORDINATION_TAG_P4

#include "../config.p4"
#include "../packet.p4"
#include "../coordination/types.p4"

/*
 * Reads the coordination tag: from the DS flags of INT where it is present, else from the header of
 * its own. A packet without either does not take part, and IPv4 without options alone does.
 */
control coordination_tag(in headers_t hdr, inout metadata_t meta) {
    apply {
        meta.tag.takes_part = false;
        meta.tag.cc = 0;
        meta.tag.ar_valid = 0;
        meta.tag.ar_id = 0;
        if (hdr.ipv4.isValid() && hdr.int_md.isValid()) {
            meta.tag.takes_part = hdr.int_md.version == INT_VERSION &&
                                  hdr.int_md.domain_id == INT_DOMAIN_ID;
            meta.tag.cc = hdr.int_md.ds_flags[15:15];
            meta.tag.ar_valid = hdr.int_md.ds_flags[14:14];
            meta.tag.ar_id = (bit<32>)(hdr.int_md.ds_flags & DS_AR_ID);
        } else if (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5 && hdr.ccm_tag.isValid()) {
            meta.tag.takes_part = true;
            meta.tag.cc = hdr.ccm_tag.cc;
            meta.tag.ar_valid = hdr.ccm_tag.ar_valid;
            meta.tag.ar_id = hdr.ccm_tag.ar_id;
        }
    }
}  /* coordination_tag */

#endif  /* COORDINATION_TAG_P4 */
