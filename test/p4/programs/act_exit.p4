// exit ends the pipeline behind the present action; egress runs all the same.
#define OWN_EGRESS
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action leave() { hdr.v.a = 0x1111; exit; }
    action stay() { hdr.v.a = 0x2222; }
    table doors {
        key = { hdr.v.op: exact; }
        actions = { leave; stay; }
        const entries = { 1: leave(); }
        const default_action = stay();
    }
    apply {
        std.egress_spec = 1;
        doors.apply();
        hdr.v.b = 0x3333;
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { hdr.v.r = 0x4444; }
}
#include "include/skeleton.p4"
