#ifndef TAG_REMOVAL_P4
#define TAG_REMOVAL_P4

#include "../config.p4"
#include "../packet.p4"
#include "../coordination/types.p4"

/*
 * Takes the stand-alone tag out at ports to hosts, which would not know it. It runs before the
 * snapshot, so that the bytes that are counted are those that leave.
 */
control tag_removal(inout headers_t hdr, inout standard_metadata_t standard_metadata) {
    action strip_tag() {
        standard_metadata.packet_length = standard_metadata.packet_length - CCM_TAG_BYTES;
        hdr.ethernet.ether_type = hdr.ccm_tag.ether_type;
        hdr.ccm_tag.setInvalid();
    }

    action keep_tag() {
    }

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

#endif  /* TAG_REMOVAL_P4 */
