// Headers are equal when both are invalid, or both are valid and all fields agree.
#include <core.p4>
#include <v1model.p4>

header flags_t { bit<8> which; bit<8> result; }
header data_t { bit<8> x; bit<8> y; }
struct headers_t { flags_t f; data_t a; data_t b; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.f);
        transition select(hdr.f.which) {
            1: only_a;
            2: both;
            default: accept;
        }
    }
    state only_a { packet.extract(hdr.a); transition accept; }
    state both { packet.extract(hdr.a); packet.extract(hdr.b); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.a == hdr.b) { hdr.f.result = 1; } else { hdr.f.result = 2; }
    }
}
#include "include/skeleton.p4"
