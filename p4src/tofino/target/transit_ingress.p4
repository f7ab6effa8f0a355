#ifndef TOFINO_TRANSIT_INGRESS_P4
#define TOFINO_TRANSIT_INGRESS_P4

#include "bridge.p4"
#include "ttl_checksum.p4"
#include "tofino/blocks/forwarding.p4"

/* The ingress of programs that only forward there. */
control ingress(INGRESS_PARAMETERS) {
    @name(".ingress") forwarding() forward;
    ttl_checksum() checksum;
    @name(".ingress") bridging() front;

    apply {
        forward.apply(hdr, meta, ig_tm_md.ucast_egress_port, ig_dprsr_md.drop_ctl);
        checksum.apply(hdr);
        front.apply(hdr.bridge, ig_intr_md.ingress_port);
    }
}  /* ingress */

#endif  /* TOFINO_TRANSIT_INGRESS_P4 */
