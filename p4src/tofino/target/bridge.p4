#ifndef TOFINO_BRIDGE_P4
#define TOFINO_BRIDGE_P4

#include "common/types.p4"

/* Metadata from ingress to egress; it stands before Ethernet inside the switch. */
header bridge_t {
    /* Zero; other headers in this place begin with other numbers. */
    bit<7> kind;
    port_t ingress_port;
}

/*
 * Written for dropped packets, too, where it is lost: so it does not wait for the verdict. An
 * instance has the name of the ingress.
 */
control bridging(inout bridge_t front, in port_t ingress_port) {
    action bridge() {
        front.setValid();
        front.kind = 0;
        front.ingress_port = ingress_port;
    }

    apply {
        bridge();
    }
}  /* bridging */

#endif  /* TOFINO_BRIDGE_P4 */
