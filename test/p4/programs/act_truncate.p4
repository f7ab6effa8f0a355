// truncate() cuts what leaves; of several calls the smallest counts.
#include "include/one_header.p4"

control TestIngress(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t std) {
    apply {
        std.egress_spec = 1;
        if (hdr.v.op == 1) { truncate(3); }
        else if (hdr.v.op == 2) { truncate(9); }
        else if (hdr.v.op == 3) { truncate(100); }
        else if (hdr.v.op == 4) { truncate(5); truncate(8); }
        else if (hdr.v.op == 5) { truncate(8); truncate(5); }
    }
}
#include "include/skeleton.p4"
