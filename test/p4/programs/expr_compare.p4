// Every comparison and Boolean operator sets one bit of the result.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        bool less = hdr.v.a < hdr.v.b;
        bool even = hdr.v.a[0:0] == 0;
        hdr.v.r = 0;
        if (less) { hdr.v.r = hdr.v.r | 0x001; }
        if (hdr.v.a <= hdr.v.b) { hdr.v.r = hdr.v.r | 0x002; }
        if (hdr.v.a > hdr.v.b) { hdr.v.r = hdr.v.r | 0x004; }
        if (hdr.v.a >= hdr.v.b) { hdr.v.r = hdr.v.r | 0x008; }
        if (hdr.v.a == hdr.v.b) { hdr.v.r = hdr.v.r | 0x010; }
        if (hdr.v.a != hdr.v.b) { hdr.v.r = hdr.v.r | 0x020; }
        if (less && even) { hdr.v.r = hdr.v.r | 0x040; }
        if (less || even) { hdr.v.r = hdr.v.r | 0x080; }
        if (!less) { hdr.v.r = hdr.v.r | 0x100; }
        if (less == even) { hdr.v.r = hdr.v.r | 0x200; }
        hdr.v.r[15:15] = (bit<1>)less;
    }
}
#include "include/skeleton.p4"
