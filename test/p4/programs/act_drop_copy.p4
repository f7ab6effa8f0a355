// mark_to_drop on a copy of the standard metadata, as an action's inout parameter is one: the drop
// happens when the copy is written back, and not when it is not.
#include "include/one_header.p4"

action discard(inout standard_metadata_t copy) {
    mark_to_drop(copy);
}

action reject_and_choose(inout standard_metadata_t copy, in bit<9> port) {
    mark_to_drop(copy);
    copy.egress_spec = port;
}

action replicate_then_reject(inout standard_metadata_t copy) {
    copy.mcast_grp = 1;
    mark_to_drop(copy);
    copy.egress_spec = 4;
}

action reject_for_nothing(in standard_metadata_t given) {
    standard_metadata_t own = given;
    mark_to_drop(own);
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { discard(std); }
        else if (hdr.v.op == 2) { reject_and_choose(std, 2); }
        else if (hdr.v.op == 3) { reject_for_nothing(std); }
        else if (hdr.v.op == 4) { replicate_then_reject(std); }
    }
}
#include "include/skeleton.p4"
