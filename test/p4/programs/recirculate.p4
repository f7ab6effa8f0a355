// A recirculated packet starts again as egress left it.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> left; bit<8> x; bit<8> kept; bit<8> instance; }
struct headers_t { values_t v; }
struct meta_t { @field_list(2) bit<8> kept; bit<8> lost; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.v.kept = meta.kept + meta.lost;
        hdr.v.instance = (bit<8>)std.instance_type;
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.x = hdr.v.x + 1;
        meta.kept = 0x21;
        meta.lost = 0x40;
        if (hdr.v.left > 0) {
            hdr.v.left = hdr.v.left - 1;
            recirculate_preserving_field_list(2);
        }
    }
}
#include "include/skeleton.p4"
