// Counter arrays of packets and bytes, and a direct counter that counts hits only.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    counter(8, CounterType.packets) by_op;
    counter(4, CounterType.packets_and_bytes) volume;
    direct_counter(CounterType.packets_and_bytes) hits;
    action seen() { hits.count(); }
    action missed() { }
    table watched {
        key = { hdr.v.a: exact; }
        actions = { seen; @defaultonly missed; }
        counters = hits;
        default_action = missed();
    }
    apply {
        std.egress_spec = 1;
        by_op.count((bit<32>)hdr.v.op);
        volume.count(2);
        watched.apply();
    }
}
#include "include/skeleton.p4"
