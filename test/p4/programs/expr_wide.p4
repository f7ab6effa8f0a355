// Arithmetic on 128 bits, which needs more than a machine word.
#define VALUE bit<128>
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { hdr.v.r = hdr.v.a + hdr.v.b; }
        else if (hdr.v.op == 2) { hdr.v.r = hdr.v.a - hdr.v.b; }
        else if (hdr.v.op == 3) { hdr.v.r = hdr.v.a * hdr.v.b; }
        else if (hdr.v.op == 4) { hdr.v.r = hdr.v.a << 100; }
        else if (hdr.v.op == 5) { hdr.v.r = hdr.v.a >> 100; }
        else if (hdr.v.op == 6) { hdr.v.r = hdr.v.a & ~hdr.v.b; }
        else if (hdr.v.op == 7) { if (hdr.v.a < hdr.v.b) { hdr.v.r = 1; } }
    }
}
#include "include/skeleton.p4"
