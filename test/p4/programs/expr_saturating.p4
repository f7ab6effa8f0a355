// Saturating sums and differences stop at the ends of the type, unsigned and signed.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        int<16> sa = (int<16>)hdr.v.a;
        int<16> sb = (int<16>)hdr.v.b;
        if (hdr.v.op == 1) { hdr.v.r = hdr.v.a |+| hdr.v.b; }
        else if (hdr.v.op == 2) { hdr.v.r = hdr.v.a |-| hdr.v.b; }
        else if (hdr.v.op == 3) { hdr.v.r = (bit<16>)(sa |+| sb); }
        else if (hdr.v.op == 4) { hdr.v.r = (bit<16>)(sa |-| sb); }
    }
}
#include "include/skeleton.p4"
