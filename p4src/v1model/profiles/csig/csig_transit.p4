#ifndef CSIG_TRANSIT_P4
#define CSIG_TRANSIT_P4

#include "common/ids.p4"
#include "csig_headers.p4"
#include "v1model/blocks/carrier_units.p4"

/* Decides whether this node compares its signal with the tag's; other tags pass as they came. */
control csig_admission(in headers_t hdr, inout metadata_t meta) {
    counter(CARRIER_UNSERVED_CAUSES, CounterType.packets) unserved;

    apply {
        meta.csig.compare = false;
        if (hdr.csig.isValid()) {
            if (hdr.csig.signal > CSIG_MAX_DELAY) {
                unserved.count(UNSERVED_UNKNOWN_SIGNAL);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (!meta.csig.has_bucket) {
                unserved.count(UNSERVED_NO_BUCKET);
            } else {
                meta.csig.compare = true;
            }
        }
    }
}  /* csig_admission */

/*
 * Compare and replace: the tag keeps the smallest bandwidth or the largest delay of the path, with
 * the locator of the port where it was found. Of equal signals the first stays.
 */
control csig_transit(inout headers_t hdr,
                     in metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    @id(REPLACE_ACTION_ID)
    action replace(bit<7> value) {
        hdr.csig.value = meta.csig.bucket;
        hdr.csig.locator = value;
    }

    @id(REPLACE_BY_PORT_ACTION_ID)
    action replace_by_port() {
        replace(standard_metadata.egress_port[6:0]);
    }

    /* Location of the bottleneck for the receiver, as a port or a tier. */
    @id(LOCATOR_TABLE_ID)
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
