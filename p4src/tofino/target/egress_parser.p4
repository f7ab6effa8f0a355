#ifndef TOFINO_EGRESS_PARSER_P4
#define TOFINO_EGRESS_PARSER_P4

/* Behind the bridge, what ingress has read. */
parser egress_parser(EGRESS_PARSER_PARAMETERS) {
    FRAME_PARSER frame;

    state start {
        packet.extract(eg_intr_md);
        packet.extract(hdr.bridge);
        meta.departure.ingress_port = hdr.bridge.ingress_port;
        meta.target.standard.egress_port = eg_intr_md.egress_port;
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TOFINO_EGRESS_PARSER_P4 */
