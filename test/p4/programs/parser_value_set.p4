// A parser value set: which values lead to a state is up to the control plane.
#include <core.p4>
#include <v1model.p4>

header type_t { bit<16> type; }
header extra_t { bit<8> x; }
struct headers_t { type_t t; extra_t e; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    value_set<bit<16>>(4) trill;
    state start {
        packet.extract(hdr.t);
        transition select(hdr.t.type) {
            trill: extra;
            0x0001: extra;
            default: accept;
        }
    }
    state extra { packet.extract(hdr.e); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.e.isValid()) { hdr.e.x = 0xFF; }
    }
}
#include "include/skeleton.p4"
