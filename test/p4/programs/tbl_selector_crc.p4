// An action selector that hashes two fields with CRC-16, as equal-cost routing does.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    action send(bit<9> port) { std.egress_spec = port; }
    action_selector(HashAlgorithm.crc16, 32w16, 32w16) hops;
    table balanced {
        key = { hdr.v.op: exact; hdr.v.a: selector; hdr.v.b: selector; }
        actions = { send; NoAction; }
        implementation = hops;
    }
    apply { mark_to_drop(std); balanced.apply(); }
}
#include "include/skeleton.p4"
