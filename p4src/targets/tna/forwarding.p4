#ifndef TNA_FORWARDING_P4
#define TNA_FORWARDING_P4

#include "ip_admission.p4"
#include "judgement.p4"
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
    ip_admission() admission;
    l3_route() route;
    @name(".ingress") judgement() last;

    apply {
        admission.apply(hdr, meta);
        if (meta.tna.drop_cause == NO_CAUSE) {
            route.apply(hdr, meta, ig_tm_md);
        }
        last.apply(hdr, meta, ig_intr_md, ig_dprsr_md);
    }
}  /* forwarding */

#endif  /* TNA_FORWARDING_P4 */
