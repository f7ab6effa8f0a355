#ifndef HPCC_USID_HEADERS_P4
#define HPCC_USID_HEADERS_P4

#include "common/types.p4"
/* The same headers and metadata: a path is in a destination. */
#include "v1model/profiles/hpcc-queues/hpcc_queues_headers.p4"

/* A uSID of this switch that a destination begins with: of the node, or of an adjacency. */
const bit<2> USID_NONE = 0;
const bit<2> USID_NODE = 1;
const bit<2> USID_ADJACENCY = 2;

/* First bits of uSIDs that mean something to one switch alone: 0xe000 and above. */
const bit<3> USID_LOCAL = 7;

/* The packet's uSIDs end at this switch, which is no host. Index into `ingress.drops`. */
const bit<32> DROP_END_OF_CARRIER = DROP_CAUSES;
const bit<32> USID_DROP_CAUSES = DROP_CAUSES + 1;

#endif  /* HPCC_USID_HEADERS_P4 */
