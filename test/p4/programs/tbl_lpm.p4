// Longest prefix match on 32 bits.
#define VALUE bit<32>
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action hop(bit<32> r) { std.egress_spec = 1; hdr.v.r = r; }
    table routes {
        key = { hdr.v.a: lpm; }
        actions = { hop; NoAction; }
        default_action = hop(0xFFFFFFFF);
    }
    apply { routes.apply(); }
}
#include "include/skeleton.p4"
