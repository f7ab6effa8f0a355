// Signed values: comparison, negation, products and sign extension by casts.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        int<16> a = (int<16>)hdr.v.a;
        int<16> b = (int<16>)hdr.v.b;
        if (hdr.v.op == 1) { if (a < b) { hdr.v.r = 1; } else { hdr.v.r = 0; } }
        else if (hdr.v.op == 2) { hdr.v.r = (bit<16>)(-a); }
        else if (hdr.v.op == 3) { hdr.v.r = (bit<16>)(a * b); }
        else if (hdr.v.op == 4) { hdr.v.r = (bit<16>)(int<16>)(int<8>)hdr.v.a[7:0]; }
        else if (hdr.v.op == 5) { hdr.v.r = (bit<16>)(a + b); }
        else if (hdr.v.op == 6) { if (a >= 0) { hdr.v.r = 1; } else { hdr.v.r = 2; } }
    }
}
#include "include/skeleton.p4"
