// A switch over values, a loop in an action, and a control block applied twice.
#include "include/one_header.p4"

control Twice(inout bit<16> x) {
    apply { x = x + x; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    Twice() first;
    Twice() second;
    action sum(bit<16> last) {
        hdr.v.b = 0;
        for (bit<16> i = 1; i <= last; i = i + 1) {
            if (i == 3) { continue; }
            if (i == 7) { break; }
            hdr.v.b = hdr.v.b + i;
        }
    }
    table sums {
        key = { hdr.v.op: exact; }
        actions = { sum; NoAction; }
        default_action = NoAction;
    }
    apply {
        std.egress_spec = 1;
        switch (hdr.v.op) {
            1: { hdr.v.r = 0x0111; }
            2:
            3: { hdr.v.r = 0x0222; }
            default: { hdr.v.r = 0x0999; }
        }
        first.apply(hdr.v.a);
        second.apply(hdr.v.a);
        sums.apply();
    }
}
#include "include/skeleton.p4"
