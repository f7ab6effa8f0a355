// A parser inside a parser, called twice with different arguments.
#include <core.p4>
#include <v1model.p4>

header pair_t { bit<8> length; bit<8> x; }
struct headers_t { pair_t a; pair_t b; }
struct meta_t { bit<8> sum; }

parser PairParser(packet_in packet, out pair_t pair, inout meta_t meta) {
    state start {
        packet.extract(pair);
        meta.sum = meta.sum + pair.length;
        transition accept;
    }
}

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    PairParser() pairs;
    state start {
        meta.sum = 0;
        pairs.apply(packet, hdr.a, meta);
        transition select(hdr.a.length) {
            0: accept;
            default: again;
        }
    }
    state again {
        pairs.apply(packet, hdr.b, meta);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.a.x = meta.sum;
    }
}
#include "include/skeleton.p4"
