// Widths between a machine word and a double's integers: 48 and 64 bits.
#define VALUE bit<64>
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        bit<48> a = hdr.v.a[47:0];
        bit<48> b = hdr.v.b[47:0];
        if (hdr.v.op == 1) { hdr.v.r = hdr.v.a + hdr.v.b; }
        else if (hdr.v.op == 2) { hdr.v.r = hdr.v.a * hdr.v.b; }
        else if (hdr.v.op == 3) { hdr.v.r = (bit<64>)(a + b); }
        else if (hdr.v.op == 4) { hdr.v.r = (bit<64>)(a - b); }
        else if (hdr.v.op == 5) { hdr.v.r = (bit<64>)(a * b); }
        else if (hdr.v.op == 6) { hdr.v.r = hdr.v.a >> 33; }
        else if (hdr.v.op == 7) { hdr.v.r = hdr.v.a ^ (hdr.v.b << 33); }
        else if (hdr.v.op == 8) { hdr.v.r = hdr.v.a |-| hdr.v.b; }
    }
}
#include "include/skeleton.p4"
