// A resubmitted packet starts again as it arrived, with the metadata that a field list keeps.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> op; bit<8> x; bit<8> rounds; bit<8> instance; }
struct headers_t { values_t v; }
struct meta_t { @field_list(3) bit<8> rounds; bit<8> lost; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.v.x = hdr.v.x + 1;
        hdr.v.instance = (bit<8>)std.instance_type + meta.lost;
        meta.lost = 0x40;
        meta.rounds = meta.rounds + 1;
        hdr.v.rounds = meta.rounds;
        if (meta.rounds < hdr.v.op) { resubmit_preserving_field_list(3); }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    // At egress the packet counts as a normal one.
    apply { hdr.v.op = (bit<8>)std.instance_type; }
}
#include "include/skeleton.p4"
