#ifndef HPCC_SPRAY_TRIM_HEADERS_P4
#define HPCC_SPRAY_TRIM_HEADERS_P4

#include "common/metadata.p4"
#include "v1model/profiles/hpcc-queues/queue_headers.p4"
#include "v1model/profiles/hpcc-spray/equal_paths.p4"

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    queue_metadata_t    queue;
    equal_paths_t       paths;
}

#endif  /* HPCC_SPRAY_TRIM_HEADERS_P4 */
