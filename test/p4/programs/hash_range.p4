// A hash is taken modulo the size of a range and moved to its base; size 0 counts as 1.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        bit<16> r;
        if (hdr.v.op == 1) {
            hash(r, HashAlgorithm.identity, 16w100, { hdr.v.a }, 16w10);
        } else if (hdr.v.op == 2) {
            hash(r, HashAlgorithm.identity, hdr.v.b, { hdr.v.a }, 16w0);
        } else {
            hash(r, HashAlgorithm.identity, hdr.v.b, { hdr.v.a, 8w1 }, 32w0x10000);
        }
        hdr.v.r = r;
    }
}
#include "include/skeleton.p4"
