// push_front leaves new elements invalid; pop_front drops the first ones.
#include <core.p4>
#include <v1model.p4>

header op_t { bit<8> op; bit<8> count; }
header item_t { bit<8> x; }
struct headers_t { op_t o; item_t[4] items; }
struct meta_t { bit<8> left; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.o);
        meta.left = hdr.o.count;
        transition more;
    }
    state more {
        transition select(meta.left) {
            0: accept;
            default: item;
        }
    }
    state item {
        packet.extract(hdr.items.next);
        meta.left = meta.left - 1;
        transition more;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.o.op == 1) {
            hdr.items.push_front(1);
            hdr.items[0].setValid();
            hdr.items[0].x = 0xF1;
        } else if (hdr.o.op == 2) { hdr.items.pop_front(1); }
        else if (hdr.o.op == 3) { hdr.items.push_front(2); }
        else if (hdr.o.op == 4) { hdr.items.pop_front(4); }
        else if (hdr.o.op == 5) { hdr.items[1] = hdr.items[2]; }
    }
}
#include "include/skeleton.p4"
