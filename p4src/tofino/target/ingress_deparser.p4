#ifndef TOFINO_INGRESS_DEPARSER_P4
#define TOFINO_INGRESS_DEPARSER_P4

/* All headers there are, in the order of the struct. */
control ingress_deparser(INGRESS_DEPARSER_PARAMETERS) {
    apply {
        packet.emit(hdr);
    }
}  /* ingress_deparser */

#endif  /* TOFINO_INGRESS_DEPARSER_P4 */
