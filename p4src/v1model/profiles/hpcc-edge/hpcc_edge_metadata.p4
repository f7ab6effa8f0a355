#ifndef HPCC_EDGE_METADATA_P4
#define HPCC_EDGE_METADATA_P4

#include "common/metadata.p4"
#include "hpcc_edge_headers.p4"

struct metadata_t {
    l4_metadata_t       l4;
    deep_metadata_t     deep;
    source_metadata_t   source;
    route_metadata_t    route;
    @field_list(REPORT_FIELDS)
    port_metadata_t     port;
    int_metadata_t      telemetry;
    @field_list(REPORT_FIELDS)
    snapshot_metadata_t snapshot;
    @field_list(REPORT_FIELDS)
    sink_metadata_t     sink;
}

#endif  /* HPCC_EDGE_METADATA_P4 */
