#ifndef CSIG_BUCKET_P4
#define CSIG_BUCKET_P4

#include "common/ids.p4"
#include "csig_headers.p4"

/*
 * This node's own signal of the tag's type, quantised: free bandwidth in Mb/s, or the packet's
 * delay in ns. All switches of a domain need the same buckets, so the controller fills them in. The
 * relative bandwidth has entries per capacity, because switches do not divide.
 */
control csig_bucket(in headers_t hdr,
                    inout metadata_t meta,
                    in standard_metadata_t standard_metadata) {
    bit<32> measured;

    @id(SET_BUCKET_ACTION_ID)
    action set_bucket(bit<5> value) {
        meta.csig.has_bucket = true;
        meta.csig.bucket = value;
    }

    @id(NO_BUCKET_ACTION_ID)
    action no_bucket() {
        meta.csig.has_bucket = false;
    }

    @id(BUCKETS_TABLE_ID)
    table buckets {
        key = {
            hdr.csig.signal         : exact @name("signal");
            meta.port.capacity_mbps : ternary @name("capacity_mbps");
            measured                : range @name("measured");
        }
        actions = { set_bucket; no_bucket; }
        const default_action = no_bucket;
        size = CSIG_BUCKET_COUNT;
    }

    /* From arrival to departure, saturating at 32 bits. */
    action measure_delay() {
        bit<64> arrival_ns = (bit<64>)standard_metadata.ingress_global_timestamp *
                             (bit<64>)meta.port.clock_unit_ns;
        bit<64> delay_ns = meta.snapshot.timestamp_ns - arrival_ns;
        measured = delay_ns > 0xFFFFFFFF ? 32w0xFFFFFFFF : delay_ns[31:0];
    }

    apply {
        if (hdr.csig.isValid()) {
            measured = meta.csig.free_mbps;
            if (hdr.csig.signal == CSIG_MAX_DELAY) {
                measure_delay();
            }
            buckets.apply();
        }
    }
}  /* csig_bucket */

#endif  /* CSIG_BUCKET_P4 */
