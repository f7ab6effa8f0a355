// A masked key of 48 bits, as an address of which some bits count, in a header and in metadata.
#include <core.p4>
#include <v1model.p4>

header address_t { bit<48> x; bit<8> r; }
struct headers_t { address_t a; }
struct meta_t { bit<48> copy; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.a); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action put(bit<8> r) { hdr.a.r = r; }
    action add(bit<8> r) { hdr.a.r = hdr.a.r + r; }
    table in_header {
        key = { hdr.a.x & 0x0101_0101_0101: exact @name("bits"); }
        actions = { put; NoAction; }
        default_action = NoAction;
    }
    table in_metadata {
        key = { meta.copy & 0xFFFF_FF00_0000: ternary @name("vendor"); }
        actions = { add; NoAction; }
        default_action = NoAction;
    }
    apply {
        std.egress_spec = 1;
        meta.copy = hdr.a.x;
        in_header.apply();
        in_metadata.apply();
    }
}
#include "include/skeleton.p4"
