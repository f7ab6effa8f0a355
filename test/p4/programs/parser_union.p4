// A header union holds one of its members: making one valid invalidates the other.
#include <core.p4>
#include <v1model.p4>

header kind_t { bit<8> kind; }
header narrow_t { bit<8> x; }
header wide_t { bit<16> x; }
header_union either_t { narrow_t narrow; wide_t wide; }
struct headers_t { kind_t k; either_t u; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.k);
        transition select(hdr.k.kind) {
            1: narrow;
            2: wide;
            3: narrow;
            default: accept;
        }
    }
    state narrow { packet.extract(hdr.u.narrow); transition accept; }
    state wide { packet.extract(hdr.u.wide); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.k.kind == 3) {
            hdr.u.wide.setValid();
            hdr.u.wide.x = 0xBEEF;
        } else if (hdr.u.narrow.isValid()) {
            hdr.u.narrow.x = 0x77;
        }
    }
}
#include "include/skeleton.p4"
