// Control flow after a table that depends on hit or miss, or on the action that ran.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action one() { }
    action two(bit<16> x) { hdr.v.b = x; }
    table first {
        key = { hdr.v.a: exact; }
        actions = { one; two; NoAction; }
        default_action = NoAction;
    }
    table second {
        key = { hdr.v.op: exact; }
        actions = { one; two; NoAction; }
        default_action = NoAction;
    }
    apply {
        std.egress_spec = 1;
        if (first.apply().hit) { hdr.v.r = 0x1000; } else { hdr.v.r = 0x2000; }
        switch (second.apply().action_run) {
            one: { hdr.v.r = hdr.v.r + 1; }
            two: { hdr.v.r = hdr.v.r + 2; }
            default: { hdr.v.r = hdr.v.r + 3; }
        }
    }
}
#include "include/skeleton.p4"
