#ifndef TOFINO_DROP_VERDICT_P4
#define TOFINO_DROP_VERDICT_P4

#include "common/config.p4"
#include "common/types.p4"
#include "tofino_metadata.p4"

/*
 * The end of ingress: a packet that has a route goes on to egress; the others are counted by cause,
 * and `drop_ctl` is 1. An instance has the name of the ingress.
 */
control drop_verdict(in metadata_t meta, inout bit<3> drop_ctl) {
    FRAME_COUNTER(bit<8>, DROP_CAUSES, drops);

    action drop(bit<8> cause) {
        COUNT(drops, cause);
        drop_ctl = 1;
    }

    /* The index of the counter comes with the entry: nothing has to be computed before. */
    table verdict {
        key = {
            meta.arrival.drop_cause : ternary @name("cause");
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
        verdict.apply();
    }
}  /* drop_verdict */

#endif  /* TOFINO_DROP_VERDICT_P4 */
