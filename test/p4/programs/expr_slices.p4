// Slices on both sides of an assignment, and concatenation.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { hdr.v.r = hdr.v.a[7:0] ++ hdr.v.b[15:8]; }
        else if (hdr.v.op == 2) { hdr.v.r[11:4] = hdr.v.a[7:0]; }
        else if (hdr.v.op == 3) {
            hdr.v.r = hdr.v.a[3:0] ++ hdr.v.a[7:4] ++ hdr.v.b[11:8] ++ 4w0xF;
        }
        else if (hdr.v.op == 4) { hdr.v.r[0:0] = hdr.v.a[15:15]; hdr.v.r[15:15] = hdr.v.a[0:0]; }
    }
}
#include "include/skeleton.p4"
