#ifndef TNA_BRIDGE_P4
#define TNA_BRIDGE_P4

#include "../../types.p4"

/* What ingress tells egress; it stands before Ethernet inside the switch. */
header bridge_t {
    /* Zero; other headers in this place begin with other numbers. */
    bit<7> kind;
    port_t ingress_port;
}

#endif  /* TNA_BRIDGE_P4 */
