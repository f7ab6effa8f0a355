// The conditional operator, nested, in an assignment and as an argument.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> x) { hdr.v.r = x; }
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 0) {
            hdr.v.r = hdr.v.a > hdr.v.b ? hdr.v.a : hdr.v.b;
        } else {
            put(hdr.v.a == 0 ? 16w1 : (hdr.v.b == 0 ? 16w2 : hdr.v.a + hdr.v.b));
        }
    }
}
#include "include/skeleton.p4"
