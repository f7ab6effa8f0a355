// Exact, longest-prefix and ternary keys in one table, which then competes by priority.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table mixed {
        key = { hdr.v.op: exact; hdr.v.a: lpm; hdr.v.b: ternary; }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; mixed.apply(); }
}
#include "include/skeleton.p4"
