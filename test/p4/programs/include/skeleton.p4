/* Skeleton of every test program: empty blocks, and the package. A program defines
   headers_t, meta_t, TestParser and TestIngress, then includes this file; it defines one of the
   OWN_... symbols for each other block that it brings itself. */

#ifndef OWN_VERIFY
control TestVerify(inout headers_t hdr, inout meta_t meta) {
    apply { }
}
#endif

#ifndef OWN_EGRESS
control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { }
}
#endif

#ifndef OWN_UPDATE
control TestUpdate(inout headers_t hdr, inout meta_t meta) {
    apply { }
}
#endif

#ifndef OWN_DEPARSER
control TestDeparser(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr); }
}
#endif

V1Switch(TestParser(), TestVerify(), TestIngress(), TestEgress(), TestUpdate(),
         TestDeparser()) main;
