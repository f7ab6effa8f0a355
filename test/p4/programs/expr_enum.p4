// An enumeration with values in a header, in comparisons and as a key.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Kind { request = 1, reply = 2, other = 9 }
header message_t { Kind kind; bit<8> x; }
struct headers_t { message_t m; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.m); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action mark(bit<8> x) { hdr.m.x = x; }
    table kinds {
        key = { hdr.m.kind: exact; }
        actions = { mark; }
        const entries = { Kind.request: mark(0x51); Kind.other: mark(0x59); }
        const default_action = mark(0x5F);
    }
    apply {
        std.egress_spec = 1;
        if (hdr.m.kind == Kind.reply) { hdr.m.kind = Kind.other; }
        kinds.apply();
    }
}
#include "include/skeleton.p4"
