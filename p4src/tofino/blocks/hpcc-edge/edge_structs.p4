#ifndef TOFINO_EDGE_STRUCTS_P4
#define TOFINO_EDGE_STRUCTS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "edge_metadata.p4"

/* Number of the field list that a clone for a report keeps, of targets that have such lists. */
#ifndef REPORT_FIELDS
#define REPORT_FIELDS 1
#endif

/* The metadata of an edge. Headers, and what a sink knows for its copy, are the target's matter. */
struct metadata_t {
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    arrival_metadata_t   arrival;
    route_metadata_t     route;
    @field_list(REPORT_FIELDS)
    port_metadata_t      port;
    int_metadata_t       telemetry;
    @field_list(REPORT_FIELDS)
    snapshot_metadata_t  snapshot;
    departure_metadata_t departure;
    headroom_metadata_t      room;
    source_metadata_t    source;
    sampling_metadata_t  sampling;
    excess_metadata_t    excess;
    strip_metadata_t     strip;
    report_metadata_t    report;
    @field_list(REPORT_FIELDS)
    sink_metadata_t      sink;
    target_metadata_t    target;
}

#endif  /* TOFINO_EDGE_STRUCTS_P4 */
