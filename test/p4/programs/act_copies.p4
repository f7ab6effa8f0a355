// Whole stacks and unions are assigned with the validity of what they hold, varbits with length.
#include <core.p4>
#include <v1model.p4>

header op_t { bit<8> op; bit<8> bytes; }
header item_t { bit<8> x; }
header text_t { varbit<32> letters; }
header_union either_t { op_t two; item_t one; }
struct headers_t {
    op_t o; item_t[2] from; text_t text; either_t u;
    item_t[2] to; text_t copy; either_t v;
}
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.o);
        packet.extract(hdr.from.next);
        packet.extract(hdr.text, (bit<32>)hdr.o.bytes * 8);
        packet.extract(hdr.u.one);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.o.op == 1) { hdr.to = hdr.from; }
        else if (hdr.o.op == 2) { hdr.copy = hdr.text; }
        else if (hdr.o.op == 3) { hdr.v = hdr.u; }
        else if (hdr.o.op == 4) { hdr.copy.setValid(); hdr.copy.letters = hdr.text.letters; }
    }
}
#include "include/skeleton.p4"
