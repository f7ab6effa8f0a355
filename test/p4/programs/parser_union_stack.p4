// A stack of header unions, as options of different lengths in any order.
#include <core.p4>
#include <v1model.p4>

header byte_t { bit<8> tag; bit<8> x; }
header word_t { bit<8> tag; bit<16> x; }
header_union option_t { byte_t b; word_t w; }
struct headers_t { option_t[2] options; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        transition select(packet.lookahead<bit<8>>()) {
            1: byte;
            2: word;
            default: accept;
        }
    }
    state byte { packet.extract(hdr.options.next.b); transition start; }
    state word { packet.extract(hdr.options.next.w); transition start; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.options[0].w.isValid()) { hdr.options[0].w.x = 0xAAAA; }
        if (hdr.options[1].b.isValid()) { hdr.options[1].b.x = 0xBB; }
    }
}
#include "include/skeleton.p4"
