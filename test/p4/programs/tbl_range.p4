// Range match with priorities where ranges overlap.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table ports {
        key = { hdr.v.a: range; hdr.v.op: exact; }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; ports.apply(); }
}
#include "include/skeleton.p4"
