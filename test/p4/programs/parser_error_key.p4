// The parser's error is a table key; a packet that is too short keeps what was not extracted.
#include <core.p4>
#include <v1model.p4>

header one_t { bit<8> x; }
header four_t { bit<32> x; }
struct headers_t { one_t one; four_t four; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.one);
        packet.extract(hdr.four);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action send(bit<9> port) { std.egress_spec = port; }
    table by_error {
        key = { std.parser_error: exact; }
        actions = { send; NoAction; }
        default_action = NoAction;
    }
    apply { by_error.apply(); }
}
#include "include/skeleton.p4"
