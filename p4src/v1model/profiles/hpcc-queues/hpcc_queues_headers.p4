#ifndef HPCC_QUEUES_HEADERS_P4
#define HPCC_QUEUES_HEADERS_P4

#include "common/metadata.p4"
#include "queue_headers.p4"

/* The metadata of a switch with several queues per port. */
struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    queue_metadata_t    queue;
}

#endif  /* HPCC_QUEUES_HEADERS_P4 */
