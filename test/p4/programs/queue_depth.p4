// How much waits when a packet enters the queue and when it leaves, as the metadata tells.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> id; bit<8> enq; bit<8> deq; bit<8> waited; }
struct headers_t { values_t v; }
struct meta_t { }

parser TestParser(packet_in packet, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t std) {
    state start { packet.extract(hdr.v); transition accept; }
}

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply { std.egress_spec = 1; }
}

control TestEgress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        hdr.v.enq = (bit<8>)std.enq_qdepth;
        hdr.v.deq = (bit<8>)std.deq_qdepth;
        // More than 50 ms, which a packet only spends in a queue that is paced.
        if (std.deq_timedelta > 50000) { hdr.v.waited = 1; }
    }
}
#include "include/skeleton.p4"
