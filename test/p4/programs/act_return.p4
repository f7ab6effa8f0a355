// return leaves the control block, not the pipeline.
#include "include/one_header.p4"

control Inner(inout headers_t hdr) {
    apply {
        if (hdr.v.op == 1) { hdr.v.a = 1; return; }
        hdr.v.a = 2;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    Inner() inner;
    apply {
        std.egress_spec = 1;
        inner.apply(hdr);
        hdr.v.b = 3;
        if (hdr.v.op == 2) { return; }
        hdr.v.r = 4;
    }
}
#include "include/skeleton.p4"
