// An action profile: entries share members, which hold actions and arguments.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action send(bit<9> port) { std.egress_spec = port; }
    action mark(bit<9> port, bit<16> r) { std.egress_spec = port; hdr.v.r = r; }
    action_profile(16) hops;
    table indirect {
        key = { hdr.v.a: exact; }
        actions = { send; mark; }
        implementation = hops;
    }
    apply { mark_to_drop(std); indirect.apply(); }
}
#include "include/skeleton.p4"
