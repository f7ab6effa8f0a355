#ifndef HPCC_PINT_HEADERS_P4
#define HPCC_PINT_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* UDP port of transports that put a shim for a digest before their header (not assigned). */
#ifndef PATH_SHIM_PORT
#define PATH_SHIM_PORT 50005
#endif
const bit<4> PATH_SHIM_VERSION = 1;

/* Room for one byte of telemetry, and a time that only hosts read. */
header path_shim_t {
    bit<4>  version;
    bit<2>  reserved;
    bit<1>  wants_digest;
    bit<1>  has_time;
    bit<8>  digest;
    bit<48> sent_at_ns;
}

/* Written by port_load.p4. */
struct load_metadata_t {
    /* U of the port in units of 2^-20. */
    bit<32> load;
}

struct headers_t {
    ethernet_t  ethernet;
    ipv4_t      ipv4;
    ipv6_t      ipv6;
    udp_t       udp;
    path_shim_t shim;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    load_metadata_t     pint;
}

#endif  /* HPCC_PINT_HEADERS_P4 */
