#ifndef CSIG_ADMISSION_P4
#define CSIG_ADMISSION_P4

#include "packet.p4"
#include "../common/causes.p4"

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

#endif  /* CSIG_ADMISSION_P4 */
