// Entries in the program, with masks, ranges and priorities; the smaller priority wins.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<16> r) { hdr.v.r = r; }
    table fixed {
        key = { hdr.v.a: ternary; hdr.v.b: range; }
        actions = { put; }
        largest_priority_wins = false;
        entries = {
            const priority = 30: (0x1200 &&& 0xFF00, _): put(30);
            const priority = 10: (0x1234, 5 .. 9): put(10);
            const priority = 20: (_, 7): put(20);
        }
        const default_action = put(99);
    }
    table ordered {
        key = { hdr.v.op: ternary; }
        actions = { put; NoAction; }
        const entries = {
            0x81: put(0x81);
            0x80 &&& 0x80: put(0x80);
        }
        const default_action = NoAction;
    }
    apply {
        std.egress_spec = 1;
        fixed.apply();
        ordered.apply();
    }
}
#include "include/skeleton.p4"
