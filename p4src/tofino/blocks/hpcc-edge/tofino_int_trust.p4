#ifndef TOFINO_INT_TRUST_P4
#define TOFINO_INT_TRUST_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "tofino/blocks/tofino_metadata.p4"
#include "edge_metadata.p4"

/*
 * Telemetry from outside the INT domain may be forged. Behind an untrusted port, what carries the
 * DSCP of INT gets another one, so that nobody in the domain takes the bytes for telemetry, and
 * `meta.strip.wanted` says that they shall be taken out where that can be done.
 */
control tofino_int_trust(inout headers_t hdr, inout metadata_t meta, in port_t ingress_port) {
    FRAME_COUNTER(port_t, PORT_COUNT, stripped);

    action trust() {
    }

    /* `dscp` must not be that of INT, or the port is trusted after all. */
    action distrust(bit<6> dscp) {
        meta.strip.dscp = dscp;
    }

    table port_trust {
        key = { ingress_port : exact @name("standard_metadata.ingress_port"); }
        actions = { trust; distrust; }
        default_action = trust;
        size = PORT_COUNT;
    }

    action want_strip() {
        meta.strip.wanted = true;
        meta.l4.dscp = meta.strip.dscp;
    }

    action mark_ipv4() {
        hdr.ipv4.dscp = meta.strip.dscp;
    }

    action mark_ipv6() {
        @in_hash { hdr.ipv6.dscp = meta.strip.dscp; }
    }

    apply {
        meta.strip.wanted = false;
        meta.strip.dscp = INT_DSCP;
        port_trust.apply();
        if (meta.l4.dscp == INT_DSCP && meta.strip.dscp != INT_DSCP) {
            want_strip();
            if (hdr.ipv4.isValid()) {
                mark_ipv4();
            } else {
                mark_ipv6();
            }
            /* A packet that is dropped counts with the dropped ones alone. */
            if (meta.route.found && meta.arrival.drop_cause == NO_CAUSE) {
                COUNT(stripped, ingress_port);
            }
        }
    }
}  /* tofino_int_trust */

#endif  /* TOFINO_INT_TRUST_P4 */
