// A varbit length that is no multiple of eight bits is an invalid argument.
#include <core.p4>
#include <v1model.p4>

header fixed_t { bit<8> bits; bit<8> mark; }
header options_t { varbit<64> rest; }
struct headers_t { fixed_t f; options_t o; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.f);
        packet.extract(hdr.o, (bit<32>)hdr.f.bits);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.f.mark = std.parser_error == error.ParserInvalidArgument ? 8w0xEE : 8w0xAA;
    }
}
#include "include/skeleton.p4"
