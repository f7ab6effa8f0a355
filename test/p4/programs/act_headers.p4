// setValid, setInvalid, and assignment of whole headers, valid and invalid.
#include <core.p4>
#include <v1model.p4>

header op_t { bit<8> op; }
header data_t { bit<8> x; bit<8> y; }
struct headers_t { op_t o; data_t a; data_t b; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.o); packet.extract(hdr.a); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action add_b() { hdr.b.setValid(); hdr.b.x = 0x12; hdr.b.y = 0x34; }
    action remove_a() { hdr.a.setInvalid(); }
    action copy() { hdr.b = hdr.a; hdr.b.x = hdr.b.x + 1; }
    action copy_invalid() { hdr.a = hdr.b; }
    apply {
        std.egress_spec = 1;
        if (hdr.o.op == 1) { add_b(); }
        else if (hdr.o.op == 2) { remove_a(); }
        else if (hdr.o.op == 3) { copy(); }
        else if (hdr.o.op == 4) { copy_invalid(); }
    }
}
#include "include/skeleton.p4"
