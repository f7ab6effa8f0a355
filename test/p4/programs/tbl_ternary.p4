// Ternary match: bits that do not matter, and priorities where entries overlap.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table acl {
        key = { hdr.v.a: ternary; hdr.v.b: ternary; }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; acl.apply(); }
}
#include "include/skeleton.p4"
