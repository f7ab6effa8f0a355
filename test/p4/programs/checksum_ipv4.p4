// The IPv4 header checksum: verified behind the parser, updated before the deparser.
#define OWN_VERIFY
#define OWN_UPDATE
#include <core.p4>
#include <v1model.p4>

header ipv4_t {
    bit<4> version; bit<4> ihl; bit<8> tos; bit<16> total_length;
    bit<16> identification; bit<3> flags; bit<13> fragment_offset;
    bit<8> ttl; bit<8> protocol; bit<16> checksum;
    bit<32> source; bit<32> destination;
}
struct headers_t { ipv4_t ip; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.ip); transition accept; }
}

#define FIELDS { hdr.ip.version, hdr.ip.ihl, hdr.ip.tos, hdr.ip.total_length, \
    hdr.ip.identification, hdr.ip.flags, hdr.ip.fragment_offset, hdr.ip.ttl, \
    hdr.ip.protocol, hdr.ip.source, hdr.ip.destination }

control TestVerify(inout headers_t hdr, inout meta_t meta) {
    apply {
        verify_checksum(hdr.ip.ihl == 5, FIELDS, hdr.ip.checksum, HashAlgorithm.csum16);
    }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (std.checksum_error == 1) { std.egress_spec = 2; }
        hdr.ip.ttl = hdr.ip.ttl - 1;
    }
}

control TestUpdate(inout headers_t hdr, inout meta_t meta) {
    apply {
        update_checksum(hdr.ip.isValid(), FIELDS, hdr.ip.checksum, HashAlgorithm.csum16);
    }
}
#include "include/skeleton.p4"
