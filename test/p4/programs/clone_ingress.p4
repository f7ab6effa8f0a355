// A clone from ingress is the packet as it arrived, with the metadata that a field list keeps.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> op; bit<8> x; bit<8> kept; bit<8> lost; bit<8> instance; }
struct headers_t { values_t v; }
struct meta_t {
    @field_list(1) bit<8> kept;
    bit<8> lost;
}

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        meta.kept = 0x5A;
        meta.lost = 0xA5;
        hdr.v.x = 0xFF;
        if (hdr.v.op == 1) { clone_preserving_field_list(CloneType.I2E, 5, 1); }
        if (hdr.v.op == 2) { clone(CloneType.I2E, 5); mark_to_drop(std); }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.kept = meta.kept;
        hdr.v.lost = meta.lost;
        hdr.v.instance = (bit<8>)std.instance_type;
    }
}
#include "include/skeleton.p4"
