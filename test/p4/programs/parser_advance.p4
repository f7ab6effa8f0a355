// advance() skips bits that the program does not want; they leave the packet.
#include <core.p4>
#include <v1model.p4>

header head_t { bit<8> skip; }
header tail_t { bit<8> x; }
struct headers_t { head_t h; tail_t t; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.h);
        packet.advance((bit<32>)hdr.h.skip << 3);
        packet.extract(hdr.t);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (std.parser_error == error.PacketTooShort) { hdr.h.skip = 0xEE; }
    }
}
#include "include/skeleton.p4"
