// mark_to_drop in ingress and in egress, and a port that is chosen after it.
#define OWN_EGRESS
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { mark_to_drop(std); }
        if (hdr.v.op == 2) { mark_to_drop(std); std.egress_spec = 2; }
        if (hdr.v.op == 4) { std.egress_spec = 511; }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        // Before egress the switch presets egress_spec; another port here changes nothing.
        if (hdr.v.op == 3) { mark_to_drop(std); }
        if (hdr.v.op == 5) { std.egress_spec = 7; }
    }
}
#include "include/skeleton.p4"
