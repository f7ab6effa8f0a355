#ifndef TNA_FORWARDING_P4
#define TNA_FORWARDING_P4

#include "../../config.p4"
#include "ip_admission.p4"
#include "l3_route.p4"

/*
 * What every switch does with a packet first: admits it, gives it a route, and counts by cause what
 * it drops. An instance has the name of the ingress, as in ../../blocks/admit_and_route.p4.
 */
control forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   in ingress_intrinsic_metadata_t ig_intr_md,
                   inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
                   inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    Counter<bit<64>, bit<8>>(DROP_CAUSES, CounterType_t.PACKETS_AND_BYTES) drops;
    ip_admission() admission;
    l3_route() route;

    action bridge() {
        hdr.bridge.setValid();
        hdr.bridge.kind = 0;
        hdr.bridge.ingress_port = ig_intr_md.ingress_port;
    }

    action drop(bit<8> cause) {
        drops.count(cause);
        ig_dprsr_md.drop_ctl = 1;
    }

    /* The index of the counter comes with the entry: nothing has to be computed before. */
    table verdict {
        key = {
            meta.tna.drop_cause : ternary @name("cause");
            meta.route.found    : ternary @name("found");
        }
        actions = { NoAction; drop; }
        const default_action = drop((bit<8>)DROP_NO_ROUTE);
        size = 5;
        const entries = {
            (NO_CAUSE, true)              : NoAction();
            ((bit<8>)DROP_NOT_IP, _)      : drop((bit<8>)DROP_NOT_IP);
            ((bit<8>)DROP_BAD_IPV4, _)    : drop((bit<8>)DROP_BAD_IPV4);
            ((bit<8>)DROP_TTL_EXPIRED, _) : drop((bit<8>)DROP_TTL_EXPIRED);
            ((bit<8>)DROP_BAD_IPV6, _)    : drop((bit<8>)DROP_BAD_IPV6);
        }
    }

    apply {
        bridge();
        admission.apply(hdr, meta);
        if (meta.tna.drop_cause == NO_CAUSE) {
            route.apply(hdr, meta, ig_tm_md);
        }
        verdict.apply();
    }
}  /* forwarding */

#endif  /* TNA_FORWARDING_P4 */
