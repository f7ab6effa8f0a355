// Bitwise operators and shifts; shifting by the width or more leaves nothing.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { hdr.v.r = hdr.v.a & hdr.v.b; }
        else if (hdr.v.op == 2) { hdr.v.r = hdr.v.a | hdr.v.b; }
        else if (hdr.v.op == 3) { hdr.v.r = hdr.v.a ^ hdr.v.b; }
        else if (hdr.v.op == 4) { hdr.v.r = ~hdr.v.a; }
        else if (hdr.v.op == 5) { hdr.v.r = hdr.v.a << hdr.v.b[7:0]; }
        else if (hdr.v.op == 6) { hdr.v.r = hdr.v.a >> hdr.v.b[7:0]; }
        else if (hdr.v.op == 7) { hdr.v.r = (bit<16>)((int<16>)hdr.v.a >> hdr.v.b[7:0]); }
        else if (hdr.v.op == 8) { hdr.v.r = (bit<16>)((int<16>)hdr.v.a << 4); }
    }
}
#include "include/skeleton.p4"
