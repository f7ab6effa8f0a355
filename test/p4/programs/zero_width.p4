// A field without bits: it is parsed, written and read as 0, and takes no room.
#include <core.p4>
#include <v1model.p4>

header data_t { bit<8> x; bit<0> nothing; bit<8> y; }
struct headers_t { data_t a; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.a); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.a.y = hdr.a.y + 1;
        std.egress_spec = 1;
    }
}
#include "include/skeleton.p4"
