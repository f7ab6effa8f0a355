// A multicast group replicates the packet to ports, each with the replication id of its node.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<16> group; bit<16> rid; bit<8> instance; bit<8> port; }
struct headers_t { values_t v; }
struct meta_t { bit<8> kept; }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        // A group wins over an egress port.
        std.egress_spec = 9;
        std.mcast_grp = hdr.v.group;
        meta.kept = 0x80;
        if (hdr.v.rid == 0xDEAD) { mark_to_drop(std); }
    }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.rid = std.egress_rid;
        hdr.v.instance = (bit<8>)std.instance_type + meta.kept;
        hdr.v.port = (bit<8>)std.egress_port;
    }
}
#include "include/skeleton.p4"
