// The priority of a packet chooses one of the queues of its port; the highest number goes first.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> priority; bit<8> id; }
struct headers_t { values_t v; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        std.priority = (bit<3>)hdr.v.priority;
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { }
}
#include "include/skeleton.p4"
