#ifndef TNA_JUDGEMENT_P4
#define TNA_JUDGEMENT_P4

#include "../../config.p4"

/*
 * The end of ingress: sends a packet that has a route on to egress, and counts the others by cause.
 * An instance has the name of the ingress.
 */
control judgement(inout headers_t hdr,
                  in metadata_t meta,
                  in ingress_intrinsic_metadata_t ig_intr_md,
                  inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Counter<bit<64>, bit<8>>(DROP_CAUSES, CounterType_t.PACKETS_AND_BYTES) drops;

    /* Of dropped packets, too, where it is lost: so it does not wait for the verdict. */
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
        verdict.apply();
    }
}  /* judgement */

#endif  /* TNA_JUDGEMENT_P4 */
