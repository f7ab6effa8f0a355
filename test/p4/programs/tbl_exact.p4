// A table with two exact keys, one of them in metadata; a miss runs the default action.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action send(bit<9> port, bit<16> r) { std.egress_spec = port; hdr.v.r = r; }
    action discard() { mark_to_drop(std); }
    table pairs {
        key = { hdr.v.a: exact; std.ingress_port: exact @name("port"); }
        actions = { send; discard; }
        size = 4;
        default_action = discard();
    }
    apply { pairs.apply(); }
}
#include "include/skeleton.p4"
