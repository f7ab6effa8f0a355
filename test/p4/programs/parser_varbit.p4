// A header of variable length (varbit), as IPv4 options are: copied out as it came in.
#include <core.p4>
#include <v1model.p4>

header fixed_t { bit<8> words; bit<8> mark; }
header options_t { bit<8> first; varbit<64> rest; }
struct headers_t { fixed_t f; options_t o; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.f);
        packet.extract(hdr.o, (bit<32>)hdr.f.words * 8);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (std.parser_error == error.NoError) { hdr.f.mark = 0xAA; }
        else if (std.parser_error == error.HeaderTooShort) { hdr.f.mark = 0xBB; }
        else if (std.parser_error == error.PacketTooShort) { hdr.f.mark = 0xCC; }
        else { hdr.f.mark = 0xDD; }
        if (hdr.o.isValid()) { hdr.o.first = hdr.o.first + 1; }
    }
}
#include "include/skeleton.p4"
