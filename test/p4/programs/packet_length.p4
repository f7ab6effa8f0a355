// packet_length is the length at reception in ingress, and follows added headers in egress.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> op; bit<16> at_ingress; bit<16> at_egress; }
header extra_t { bit<32> x; }
struct headers_t { values_t v; extra_t e; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.v);
        transition select(hdr.v.op) {
            2: extra;
            default: accept;
        }
    }
    state extra { packet.extract(hdr.e); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.v.at_ingress = (bit<16>)std.packet_length;
        if (hdr.v.op == 1) { hdr.e.setValid(); hdr.e.x = 0xCAFEF00D; }
        if (hdr.v.op == 2) { hdr.e.setInvalid(); }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { hdr.v.at_egress = (bit<16>)std.packet_length; }
}
#include "include/skeleton.p4"
