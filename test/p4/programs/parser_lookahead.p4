// The parser chooses by bits that it has not yet extracted: packet.lookahead.
#include <core.p4>
#include <v1model.p4>

header short_t { bit<8> kind; bit<8> x; }
header long_t { bit<8> kind; bit<24> x; }
struct headers_t { short_t s; long_t l; }
struct meta_t { bit<16> seen; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        transition select(packet.lookahead<bit<8>>()) {
            1: parse_short;
            2: parse_long;
            3: look;
            default: accept;
        }
    }
    state parse_short { packet.extract(hdr.s); transition accept; }
    state parse_long { packet.extract(hdr.l); transition accept; }
    // A lookahead in an assignment, of two bytes of which the second is the interesting one.
    state look {
        meta.seen = packet.lookahead<bit<16>>();
        transition parse_short;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.s.isValid()) { hdr.s.x = hdr.s.x + 1 + meta.seen[7:0]; }
        if (hdr.l.isValid()) { hdr.l.x = hdr.l.x + 1; }
    }
}
#include "include/skeleton.p4"
