// A direct meter of bytes colours the packets that hit its entry.
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> a; bit<8> colour; }
struct headers_t { values_t v; }
struct meta_t { bit<8> colour; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    direct_meter<bit<8>>(MeterType.bytes) limits;
    action metered() { limits.read(meta.colour); }
    action free() { }
    table flows {
        key = { hdr.v.a: exact; }
        actions = { metered; @defaultonly free; }
        meters = limits;
        default_action = free();
    }
    apply {
        std.egress_spec = 1;
        meta.colour = 7;
        flows.apply();
        hdr.v.colour = meta.colour;
    }
}
#include "include/skeleton.p4"
