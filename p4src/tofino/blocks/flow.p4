#ifndef TOFINO_FLOW_P4
#define TOFINO_FLOW_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/* The 5-tuple of a flow, as blocks hash it. */
#define IPV4_FLOW hdr.ipv4.src_addr, hdr.ipv4.dst_addr, FLOW_OF_TRANSPORT
#define IPV6_FLOW hdr.ipv6.src_addr, hdr.ipv6.dst_addr, FLOW_OF_TRANSPORT
#define FLOW_OF_TRANSPORT meta.l4.protocol, meta.l4.src_port, meta.l4.dst_port

#endif  /* TOFINO_FLOW_P4 */
