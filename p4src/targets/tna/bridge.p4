#ifndef TNA_BRIDGE_P4
#define TNA_BRIDGE_P4

#include "../../types.p4"

/* What ingress tells egress; it stands before Ethernet inside the switch. */
header bridge_t {
    /* Zero; other headers in this place begin with other numbers. */
    bit<7> kind;
    port_t ingress_port;
}

/*
 * Of dropped packets, too, where it is lost: so it does not wait for the verdict. An instance has
 * the name of the ingress.
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

#endif  /* TNA_BRIDGE_P4 */
