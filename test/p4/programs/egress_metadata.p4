// Metadata of ports in egress: the port of its queue, the port of arrival, and a preset of 0.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> spec; bit<8> port; bit<8> from_port; bit<8> kept; }
struct headers_t { values_t v; }
struct meta_t { bit<8> kept; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 6;
        meta.kept = meta.kept + 0x42;
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.spec = (bit<8>)std.egress_spec;
        hdr.v.port = (bit<8>)std.egress_port;
        hdr.v.from_port = (bit<8>)std.ingress_port;
        hdr.v.kept = meta.kept;
    }
}
#include "include/skeleton.p4"
