// random() draws between two bounds, both included.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        bit<16> drawn;
        random(drawn, hdr.v.a, hdr.v.b);
        hdr.v.r = drawn;
        if (drawn < hdr.v.a || drawn > hdr.v.b) { hdr.v.op = 0xEE; }
        if (hdr.v.a != hdr.v.b) { hdr.v.r = 0; }
    }
}
#include "include/skeleton.p4"
