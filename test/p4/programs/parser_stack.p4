// A stack of labels: next, last, lastIndex, and the error when it is full.
#include <core.p4>
#include <v1model.p4>

header label_t { bit<1> bottom; bit<7> value; }
header summary_t { bit<8> last; bit<8> status; }
struct headers_t { summary_t sum; label_t[3] labels; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.sum);
        transition labels;
    }
    state labels {
        packet.extract(hdr.labels.next);
        transition select(hdr.labels.last.bottom) {
            1: done;
            default: labels;
        }
    }
    state done {
        hdr.sum.last = (bit<8>)hdr.labels.lastIndex;
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (std.parser_error == error.StackOutOfBounds) { hdr.sum.status = 0xEE; }
        else { hdr.sum.status = 0x11; }
        if (hdr.labels[0].isValid()) { hdr.labels[0].value = 7; }
    }
}
#include "include/skeleton.p4"
