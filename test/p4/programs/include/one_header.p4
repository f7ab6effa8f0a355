/* One header of five bytes or more for programs that compute something and show it: operands a and
   b, result r. Includes v1model and defines headers_t, meta_t and the parser. */
#include <core.p4>
#include <v1model.p4>

#ifndef VALUE
#define VALUE bit<16>
#endif

header values_t {
    bit<8> op;
    VALUE a;
    VALUE b;
    VALUE r;
}

struct headers_t {
    values_t v;
}

struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start {
        packet.extract(hdr.v);
        transition accept;
    }
}
