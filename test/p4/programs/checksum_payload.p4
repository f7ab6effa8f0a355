// A checksum over a header and everything behind it, of even and odd length.
#define OWN_VERIFY
#define OWN_UPDATE
#include <core.p4>
#include <v1model.p4>

header head_t { bit<8> mark; bit<8> kind; bit<16> checksum; }
struct headers_t { head_t h; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.h); transition accept; }
}

control TestVerify(inout headers_t hdr, inout meta_t meta) {
    apply {
        verify_checksum_with_payload(hdr.h.kind == 1, { hdr.h.mark, hdr.h.kind },
                                     hdr.h.checksum, HashAlgorithm.csum16);
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        hdr.h.mark = 0x10 + (bit<8>)std.checksum_error;
    }
}

control TestUpdate(inout headers_t hdr, inout meta_t meta) {
    apply {
        update_checksum_with_payload(hdr.h.kind == 2, { hdr.h.mark, hdr.h.kind },
                                     hdr.h.checksum, HashAlgorithm.csum16);
    }
}
#include "include/skeleton.p4"
