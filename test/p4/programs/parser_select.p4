// Transitions by several keys with masks and ranges: the first that fits is taken.
#include <core.p4>
#include <v1model.p4>

header pair_t { bit<8> x; bit<16> y; bit<8> way; }
struct headers_t { pair_t p; }
struct meta_t { bit<8> way; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.p);
        transition select(hdr.p.x, hdr.p.y) {
            (0x10 &&& 0xF0, 0x0800): masked;
            (5 .. 7, _): ranged;
            (0x20, 0x0001): exactly;
            (_, 0x0800): second_only;
            default: other;
        }
    }
    state masked { meta.way = 1; transition accept; }
    state ranged { meta.way = 2; transition accept; }
    state exactly { meta.way = 3; transition accept; }
    state second_only { meta.way = 4; transition accept; }
    state other { meta.way = 5; transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.p.way = meta.way;
    }
}
#include "include/skeleton.p4"
