#ifndef TOFINO_PARTS_P4
#define TOFINO_PARTS_P4

/* Parameters that TNA gives each part of a program, under the same names in all programs. */
#define INGRESS_PARAMETERS \
    inout headers_t hdr, \
    inout metadata_t meta, \
    in ingress_intrinsic_metadata_t ig_intr_md, \
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md, \
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md, \
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md

#define INGRESS_DEPARSER_PARAMETERS \
    packet_out packet, \
    inout headers_t hdr, \
    in metadata_t meta, \
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md

#define EGRESS_PARSER_PARAMETERS \
    packet_in packet, \
    out headers_t hdr, \
    out metadata_t meta, \
    out egress_intrinsic_metadata_t eg_intr_md

#define EGRESS_PARAMETERS \
    inout headers_t hdr, \
    inout metadata_t meta, \
    in egress_intrinsic_metadata_t eg_intr_md, \
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md, \
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, \
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md

#define EGRESS_DEPARSER_PARAMETERS \
    packet_out packet, \
    inout headers_t hdr, \
    in metadata_t meta, \
    in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md

#endif  /* TOFINO_PARTS_P4 */
