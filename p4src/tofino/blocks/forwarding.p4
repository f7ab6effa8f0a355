#ifndef TOFINO_FORWARDING_P4
#define TOFINO_FORWARDING_P4

#include "tofino_ip_admission.p4"
#include "drop_verdict.p4"
#include "tofino_l3_route.p4"

/*
 * First step of every switch: admits a packet, routes it, and counts dropped packets by cause. An
 * instance has the name of the ingress, as in admit_and_route.p4.
 */
control forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   inout port_t egress_port,
                   inout bit<3> drop_ctl) {
    tofino_ip_admission() admission;
    frame_check() length;
    tofino_l3_route() route;
    @name(".ingress") drop_verdict() last;

    apply {
        admission.apply(hdr, meta);
        length.apply(hdr, meta);
        if (meta.arrival.drop_cause == NO_CAUSE) {
            route.apply(hdr, meta, egress_port);
        }
        last.apply(meta, drop_ctl);
    }
}  /* forwarding */

#endif  /* TOFINO_FORWARDING_P4 */
