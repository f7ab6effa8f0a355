#ifndef PORTABLE_TELEMETRY_NODE_P4
#define PORTABLE_TELEMETRY_NODE_P4

#include "int_admission.p4"
#include "int_transit.p4"
#include "telemetry_snapshot.p4"

/*
 * What every node does with a packet that has left its queue, as the `departure` of the target
 * tells: decides whether it takes a hop, and pushes it. An instance has the name of the egress.
 */
control telemetry_node(inout headers_t hdr, inout metadata_t meta) {
    int_admission() admission;
    telemetry_snapshot() snapshot;
    int_transit() transit;
    int_checksum() checksum;

    apply {
        admission.apply(hdr, meta);
        snapshot.apply(meta);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta);
    }
}  /* telemetry_node */

#endif  /* PORTABLE_TELEMETRY_NODE_P4 */
