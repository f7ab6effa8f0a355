// verify() ends parsing with an error of the program's own, and ingress can tell it.
#include <core.p4>
#include <v1model.p4>

error { BadVersion, BadLength }
header first_t { bit<4> version; bit<4> length; bit<8> status; }
header second_t { bit<8> x; }
struct headers_t { first_t f; second_t s; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.f);
        verify(hdr.f.version == 4, error.BadVersion);
        verify(hdr.f.length > 5, error.BadLength);
        packet.extract(hdr.s);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (std.parser_error == error.NoError) { hdr.f.status = 0x00; }
        else if (std.parser_error == error.BadVersion) { hdr.f.status = 0x11; }
        else if (std.parser_error == error.BadLength) { hdr.f.status = 0x22; }
        else { hdr.f.status = 0x33; }
        if (hdr.s.isValid()) { hdr.s.x = 0xAB; }
    }
}
#include "include/skeleton.p4"
