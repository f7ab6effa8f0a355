// A key that is an expression: some bits of a field.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table masked {
        key = { hdr.v.a & 0x0FF0: exact @name("middle"); hdr.v.b[15:12]: exact @name("top"); }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; masked.apply(); }
}
#include "include/skeleton.p4"
