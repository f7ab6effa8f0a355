// if statements inside an action become jumps between its primitives.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action clamp(bit<16> low, bit<16> high) {
        if (hdr.v.a < low) {
            hdr.v.r = low;
        } else if (hdr.v.a > high) {
            hdr.v.r = high;
        } else {
            hdr.v.r = hdr.v.a;
        }
        hdr.v.b = 0xFFFF;
    }
    table limits {
        key = { hdr.v.op: exact; }
        actions = { clamp; NoAction; }
        default_action = NoAction;
    }
    apply {
        std.egress_spec = 1;
        limits.apply();
    }
}
#include "include/skeleton.p4"
