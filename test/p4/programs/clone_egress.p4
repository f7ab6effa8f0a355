// A clone from egress is the packet as egress has changed it, and goes through egress again.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> op; bit<8> kept; bit<8> instance; bit<8> passes; }
struct headers_t { values_t v; }
struct meta_t { @field_list(7) bit<8> kept; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { std.egress_spec = 1; }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.passes = hdr.v.passes + 1;
        hdr.v.instance = (bit<8>)std.instance_type;
        hdr.v.kept = meta.kept;
        if (std.instance_type == 0) {
            meta.kept = 0x3C;
            if (hdr.v.op == 1) { clone_preserving_field_list(CloneType.E2E, 8, 7); }
        }
    }
}
#include "include/skeleton.p4"
