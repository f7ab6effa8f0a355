#ifndef CONGESTION_MARK_P4
#define CONGESTION_MARK_P4

#include "../config.p4"
#include "../packet.p4"
#include "../coordination/types.p4"
#include "ecn_congested.p4"

/*
 * ECN at congested ports to hosts, where no other path helps; without adaptive routing at all
 * congested ports.
 */
control congestion_mark(inout headers_t hdr,
                        in metadata_t meta,
                        in standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets) marks;

    ecn_congested() ecn;

    apply {
        if (meta.congestion.congested &&
            (meta.congestion.to_host || meta.paths.mode == MODE_ECMP)) {
            ecn.apply(hdr);
            marks.count((bit<32>)standard_metadata.egress_port);
        }
    }
}  /* congestion_mark */

#endif  /* CONGESTION_MARK_P4 */
