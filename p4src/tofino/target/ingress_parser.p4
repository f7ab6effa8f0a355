#ifndef TOFINO_INGRESS_PARSER_P4
#define TOFINO_INGRESS_PARSER_P4

/* A program names the parser of its frames, `FRAME_PARSER`. */
parser ingress_parser(packet_in packet, out headers_t hdr, out metadata_t meta,
                      out ingress_intrinsic_metadata_t ig_intr_md) {
    FRAME_PARSER frame;

    state start {
        packet.extract(ig_intr_md);
        packet.advance(PORT_METADATA_SIZE);
        frame.apply(packet, hdr, meta);
        transition accept;
    }
}

#endif  /* TOFINO_INGRESS_PARSER_P4 */
