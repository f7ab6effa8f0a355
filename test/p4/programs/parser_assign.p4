// The parser assigns: constants, expressions, whole headers and validity.
#include <core.p4>
#include <v1model.p4>

header data_t { bit<8> x; bit<8> y; }
struct headers_t { data_t a; data_t b; data_t c; }
struct meta_t { bit<8> sum; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.a);
        meta.sum = hdr.a.x + hdr.a.y;
        hdr.b = hdr.a;
        hdr.b.x = 0x77;
        hdr.c.setValid();
        hdr.c.x = meta.sum;
        hdr.c.y = (bit<8>)std.ingress_port;
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { std.egress_spec = 1; }
}
#include "include/skeleton.p4"
