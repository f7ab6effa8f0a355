// Validity as a key, and the field of an invalid header as a key, which reads as 0.
#include <core.p4>
#include <v1model.p4>

header head_t { bit<8> more; bit<8> r; }
header tail_t { bit<8> x; }
struct headers_t { head_t h; tail_t t; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.h);
        transition select(hdr.h.more) {
            1: tail;
            default: accept;
        }
    }
    state tail { packet.extract(hdr.t); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<8> r) { hdr.h.r = r; }
    table valid {
        key = { hdr.t.isValid(): exact; hdr.t.x: exact; }
        actions = { put; NoAction; }
        default_action = put(0xEE);
    }
    apply { std.egress_spec = 1; valid.apply(); }
}
#include "include/skeleton.p4"
