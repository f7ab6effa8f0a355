// A meter of packets with two rates: green within both, yellow above the first, red above both.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    meter(4, MeterType.packets) limits;
    apply {
        std.egress_spec = 1;
        bit<8> colour;
        limits.execute_meter((bit<32>)hdr.v.a, colour);
        hdr.v.r = (bit<16>)colour;
    }
}
#include "include/skeleton.p4"
