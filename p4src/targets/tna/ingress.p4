#ifndef TNA_INGRESS_P4
#define TNA_INGRESS_P4

#include "forwarding.p4"

/* The ingress of programs that only forward there. */
control ingress(inout headers_t hdr,
                inout metadata_t meta,
                in ingress_intrinsic_metadata_t ig_intr_md,
                in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
                inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
                inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    @name(".ingress") forwarding() forward;

    apply {
        forward.apply(hdr, meta, ig_intr_md, ig_dprsr_md, ig_tm_md);
    }
}  /* ingress */

#endif  /* TNA_INGRESS_P4 */
