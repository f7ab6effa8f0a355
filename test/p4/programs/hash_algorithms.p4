// Every hash algorithm of v1model over the same seven bytes.
#include <core.p4>
#include <v1model.p4>

header input_t { bit<8> op; bit<32> a; bit<16> b; bit<8> c; bit<64> r; }
struct headers_t { input_t i; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.i); transition accept; }
}

#define DATA { hdr.i.a, hdr.i.b, hdr.i.c }
control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    bit<16> r16 = 0;
    bit<32> r32 = 0;
    bit<64> r64 = 0;
    apply {
        std.egress_spec = 1;
        if (hdr.i.op == 1) {
            hash(r16, HashAlgorithm.crc16, 16w0, DATA, 32w65536);
            hdr.i.r = (bit<64>)r16;
        } else if (hdr.i.op == 2) {
            hash(r32, HashAlgorithm.crc32, 32w0, DATA, 64w0x100000000);
            hdr.i.r = (bit<64>)r32;
        } else if (hdr.i.op == 3) {
            hash(r16, HashAlgorithm.csum16, 16w0, DATA, 32w65536);
            hdr.i.r = (bit<64>)r16;
        } else if (hdr.i.op == 4) {
            hash(r16, HashAlgorithm.xor16, 16w0, DATA, 32w65536);
            hdr.i.r = (bit<64>)r16;
        } else if (hdr.i.op == 5) {
            hash(r64, HashAlgorithm.identity, 64w0, DATA, 64w0x7FFFFFFFFFFFFFFF);
            hdr.i.r = r64;
        } else if (hdr.i.op == 6) {
            hash(r16, HashAlgorithm.crc16_custom, 16w0, DATA, 32w65536);
            hdr.i.r = (bit<64>)r16;
        } else if (hdr.i.op == 7) {
            hash(r32, HashAlgorithm.crc32_custom, 32w0, DATA, 64w0x100000000);
            hdr.i.r = (bit<64>)r32;
        }
    }
}
#include "include/skeleton.p4"
