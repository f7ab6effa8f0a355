#ifndef V1MODEL_EDGE_PACKET_P4
#define V1MODEL_EDGE_PACKET_P4

#include "../../../metadata.p4"
#include "../../../portable/metadata.p4"
#include "../../../portable/hpcc-edge/edge_metadata.p4"
#include "../../../profiles/hpcc-edge/headers.p4"

/* Those of ../../../profiles/hpcc-edge, and what portable blocks need. */
struct metadata_t {
    l4_metadata_t        l4;
    deep_metadata_t      deep;
    source_metadata_t    source;
    route_metadata_t     route;
    @field_list(REPORT_FIELDS)
    port_metadata_t      port;
    int_metadata_t       telemetry;
    @field_list(REPORT_FIELDS)
    snapshot_metadata_t  snapshot;
    @field_list(REPORT_FIELDS)
    sink_metadata_t      sink;
    departure_metadata_t departure;
    room_metadata_t      room;
    sampling_metadata_t  sampling;
    excess_metadata_t    excess;
    strip_metadata_t     strip;
    report_metadata_t    report;
}

#endif  /* V1MODEL_EDGE_PACKET_P4 */
