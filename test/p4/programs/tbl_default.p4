// The default action: with arguments, set by the control plane, and constant.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    action other(bit<16> b) { hdr.v.b = b; }
    table changeable {
        actions = { put; }
        default_action = put(0x1234);
    }
    table constant {
        actions = { other; }
        const default_action = other(0x5678);
    }
    apply { std.egress_spec = 1; changeable.apply(); constant.apply(); }
}
#include "include/skeleton.p4"
