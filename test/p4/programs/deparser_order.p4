// The deparser decides the order of headers, whatever the order of parsing.
#define OWN_DEPARSER
#include <core.p4>
#include <v1model.p4>

header a_t { bit<8> x; }
header b_t { bit<16> x; }
struct headers_t { a_t a; b_t b; a_t c; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.a);
        packet.extract(hdr.b);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.a.x == 1) { hdr.c.setValid(); hdr.c.x = 0xCC; }
    }
}

control TestDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.c);
        packet.emit(hdr.b);
        packet.emit(hdr.a);
    }
}
#include "include/skeleton.p4"
