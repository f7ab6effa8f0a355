// Structs inside metadata are copied and compared member by member.
#include <core.p4>
#include <v1model.p4>

struct point_t { bit<8> x; bit<8> y; }
header points_t { bit<8> x1; bit<8> y1; bit<8> x2; bit<8> y2; bit<8> r; }
struct headers_t { points_t p; }
struct meta_t { point_t first; point_t second; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.p); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        meta.first = { hdr.p.x1, hdr.p.y1 };
        meta.second = { hdr.p.x2, hdr.p.y2 };
        hdr.p.r = 0;
        if (meta.first == meta.second) { hdr.p.r = 1; }
        point_t swapped = meta.first;
        meta.first = meta.second;
        meta.second = swapped;
        hdr.p.x1 = meta.first.x;
        hdr.p.x2 = meta.second.x;
    }
}
#include "include/skeleton.p4"
