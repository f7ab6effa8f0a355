#ifndef TOFINO_PIPELINE_P4
#define TOFINO_PIPELINE_P4

/* The end of each program: its parts, under the names that they have in all programs. */
Pipeline(ingress_parser(), ingress(), ingress_deparser(),
         egress_parser(), egress(), egress_deparser()) pipe;
Switch(pipe) main;

#endif  /* TOFINO_PIPELINE_P4 */
