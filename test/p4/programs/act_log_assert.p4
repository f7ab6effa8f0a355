// log_msg with values in it, and assertions that hold.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        assert(hdr.v.isValid());
        assume(hdr.v.op < 0x80);
        log_msg("plain");
        log_msg("a = {}, b = {}", {hdr.v.a, hdr.v.b});
    }
}
#include "include/skeleton.p4"
