#ifndef CSIG_TRANSIT_P4
#define CSIG_TRANSIT_P4

#include "packet.p4"

/*
 * Compare and replace: the tag keeps the smallest bandwidth or the largest delay of the path, with
 * the locator of the port where it was found. Of equal signals the first stays.
 */
control csig_transit(inout headers_t hdr,
                     in metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    action replace(bit<7> value) {
        hdr.csig.value = meta.csig.bucket;
        hdr.csig.locator = value;
    }

    action replace_by_port() {
        replace(standard_metadata.egress_port[6:0]);
    }

    /* What the receiver shall read as the place of the bottleneck, as a port or a tier. */
    table locator {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { replace; replace_by_port; }
        const default_action = replace_by_port;
        size = PORT_COUNT;
    }

    apply {
        if (meta.csig.compare) {
            bool is_maximum = hdr.csig.signal == CSIG_MAX_DELAY;
            bool is_worse = is_maximum ? meta.csig.bucket > hdr.csig.value
                                       : meta.csig.bucket < hdr.csig.value;
            if (is_worse) {
                locator.apply();
            }
        }
    }
}  /* csig_transit */

#endif  /* CSIG_TRANSIT_P4 */
