// Time stamps never run backwards: arrival, queue, departure.
#define OWN_EGRESS
#include <core.p4>
#include <v1model.p4>

header values_t { bit<8> ok; }
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
        bit<48> enqueued = (bit<48>)std.enq_timestamp;
        hdr.v.ok = 0;
        if (std.ingress_global_timestamp > 0) { hdr.v.ok = hdr.v.ok | 1; }
        if (enqueued >= std.ingress_global_timestamp) { hdr.v.ok = hdr.v.ok | 2; }
        if (std.egress_global_timestamp >= enqueued) { hdr.v.ok = hdr.v.ok | 4; }
        // Two readings of a clock that runs may differ a little.
        if (std.egress_global_timestamp - enqueued + 1000 >= (bit<48>)std.deq_timedelta) {
            hdr.v.ok = hdr.v.ok | 8;
        }
    }
}
#include "include/skeleton.p4"
