// An action selector picks a member of a group by a hash of the packet: identity shows which.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action send(bit<9> port) { std.egress_spec = port; }
    action_selector(HashAlgorithm.identity, 32w16, 32w16) hops;
    table balanced {
        key = { hdr.v.a: exact; hdr.v.b: selector; }
        actions = { send; NoAction; }
        implementation = hops;
    }
    apply { mark_to_drop(std); balanced.apply(); }
}
#include "include/skeleton.p4"
