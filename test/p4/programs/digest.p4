// A digest tells the control plane what the packet carries.
#include "include/one_header.p4"

struct learned_t { bit<16> a; bit<9> port; }

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { digest<learned_t>(1, { hdr.v.a, std.ingress_port }); }
    }
}
#include "include/skeleton.p4"
