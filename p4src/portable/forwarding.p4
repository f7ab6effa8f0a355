#ifndef PORTABLE_FORWARDING_P4
#define PORTABLE_FORWARDING_P4

#include "ip_admission.p4"
#include "judgement.p4"
#include "l3_route.p4"

/*
 * What every switch does with a packet first: admits it, gives it a route, and counts by cause what
 * it drops. An instance has the name of the ingress, as in ../blocks/admit_and_route.p4.
 */
control forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   inout port_t egress_port,
                   inout bit<3> drop_ctl) {
    ip_admission() admission;
    frame_check() length;
    l3_route() route;
    @name(".ingress") judgement() last;

    apply {
        admission.apply(hdr, meta);
        length.apply(hdr, meta);
        if (meta.arrival.drop_cause == NO_CAUSE) {
            route.apply(hdr, meta, egress_port);
        }
        last.apply(meta, drop_ctl);
    }
}  /* forwarding */

#endif  /* PORTABLE_FORWARDING_P4 */
