// An exact key beside a prefix, as in a table per virtual network.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table routes {
        key = { hdr.v.op: exact; hdr.v.a: lpm; }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; routes.apply(); }
}
#include "include/skeleton.p4"
