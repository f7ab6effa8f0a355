// Optional match: the value or anything.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table filters {
        key = { hdr.v.a: optional; hdr.v.b: optional; }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    apply { std.egress_spec = 1; filters.apply(); }
}
#include "include/skeleton.p4"
