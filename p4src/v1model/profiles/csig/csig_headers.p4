#ifndef CSIG_HEADERS_P4
#define CSIG_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* EtherType of the tag: none is assigned. */
#ifndef CSIG_TPID
#define CSIG_TPID 0x9900
#endif

/* Room for 32 buckets of three signals and several link capacities. */
#ifndef CSIG_BUCKET_COUNT
#define CSIG_BUCKET_COUNT 1024
#endif

/* Available bandwidth is measured over 2^18 ns = 262 us unless the controller says otherwise. */
#ifndef CSIG_WINDOW_SHIFT
#define CSIG_WINDOW_SHIFT 18
#endif

const bit<3> CSIG_MIN_BANDWIDTH = 0;
const bit<3> CSIG_MIN_RELATIVE_BANDWIDTH = 1;
const bit<3> CSIG_MAX_DELAY = 2;

/*
 * CSIG compact tag (draft-ravi-ippm-csig), placed like a VLAN tag: the EtherType before it is
 * CSIG_TPID. `value` is a bucket, `locator` tells where the signal comes from.
 */
header csig_t {
    bit<3>  signal;
    bit<1>  reserved;
    bit<5>  value;
    bit<7>  locator;
    bit<16> ether_type;
}


struct headers_t {
    ethernet_t ethernet;
    csig_t     csig;
    ipv4_t     ipv4;
    ipv6_t     ipv6;
}

struct csig_metadata_t {
    /* Written by csig_bandwidth.p4. */
    bit<32> free_mbps;
    /* Written by csig_bucket.p4: this node's own signal of the tag's type. */
    bool    has_bucket;
    bit<5>  bucket;
    /* Written by csig_admission.p4. */
    bool    compare;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    csig_metadata_t     csig;
}

#endif  /* CSIG_HEADERS_P4 */
