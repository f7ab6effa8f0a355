#ifndef TOFINO_TELEMETRY_NODE_P4
#define TOFINO_TELEMETRY_NODE_P4

#include "tofino_int_admission.p4"
#include "tofino_int_transit.p4"
#include "tofino_telemetry_snapshot.p4"

/*
 * Telemetry step of every node for a packet that has left its queue (`departure` of the target):
 * decides whether the node adds a hop, and pushes it. An instance has the name of the egress.
 */
control telemetry_node(inout headers_t hdr, inout metadata_t meta) {
    tofino_int_admission() admission;
    tofino_telemetry_snapshot() snapshot;
    tofino_int_transit() transit;
    int_checksum() checksum;

    apply {
        admission.apply(hdr, meta);
        snapshot.apply(meta);
        transit.apply(hdr, meta);
        checksum.apply(hdr, meta);
    }
}  /* telemetry_node */

#endif  /* TOFINO_TELEMETRY_NODE_P4 */
