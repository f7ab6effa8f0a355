// An element of a stack by an index that only the packet knows, on both sides.
#include <core.p4>
#include <v1model.p4>

header op_t { bit<8> from_index; bit<8> to_index; }
header item_t { bit<8> x; bit<8> y; }
struct headers_t { op_t o; item_t[4] items; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.o);
        packet.extract(hdr.items.next);
        packet.extract(hdr.items.next);
        packet.extract(hdr.items.next);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.items[hdr.o.to_index].y = hdr.items[hdr.o.from_index].x + 1;
    }
}
#include "include/skeleton.p4"
