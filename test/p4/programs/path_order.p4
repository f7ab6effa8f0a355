// A clone leaves in any case; resubmission wins over multicast, and that over the drop port.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> op; bit<8> rounds; bit<8> instance; }
struct headers_t { values_t v; }
struct meta_t { @field_list(1) bit<8> rounds; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        meta.rounds = meta.rounds + 1;
        hdr.v.rounds = meta.rounds;
        std.egress_spec = 511;
        std.mcast_grp = 1;
        if (hdr.v.op == 1 && meta.rounds == 1) {
            clone(CloneType.I2E, 4);
            resubmit_preserving_field_list(1);
        }
        // The last call counts: one clone to the second session.
        if (hdr.v.op == 2) { clone(CloneType.I2E, 4); clone(CloneType.I2E, 5); }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { hdr.v.instance = (bit<8>)std.instance_type; }
}
#include "include/skeleton.p4"
