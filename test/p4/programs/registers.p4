// Registers: read, write, read-modify-write, and an index outside the array.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    register<bit<16>>(4) cells;
    register<bit<64>>(1) wide;
    action accumulate() {
        bit<16> x;
        cells.read(x, (bit<32>)hdr.v.a);
        x = x + hdr.v.b;
        cells.write((bit<32>)hdr.v.a, x);
        hdr.v.r = x;
    }
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { cells.write((bit<32>)hdr.v.a, hdr.v.b); }
        else if (hdr.v.op == 2) { cells.read(hdr.v.r, (bit<32>)hdr.v.a); }
        else if (hdr.v.op == 3) { accumulate(); }
        else if (hdr.v.op == 4) { wide.write(0, 64w0x0123456789ABCDEF + (bit<64>)hdr.v.b); }
    }
}
#include "include/skeleton.p4"
