#ifndef MODEL_INT_CHECKSUM_P4
#define MODEL_INT_CHECKSUM_P4

#include "tofino/blocks/tofino_metadata.p4"
#include "common/config.p4"
#include "v1model/blocks/l4_checksum.p4"

/* Keeps the first word of the INT-MD header, before Tofino blocks set flags there. */
control int_flags(in headers_t hdr, inout metadata_t meta) {
    apply {
        meta.target.flags_before = hdr.int_md.version ++ hdr.int_md.d ++ hdr.int_md.e ++
                                   hdr.int_md.m ++ hdr.int_md.reserved[11:3];
    }
}  /* int_flags */

/* The TCP or UDP checksum by difference after Tofino blocks have pushed a hop or set a flag. */
control int_checksum(inout headers_t hdr, in metadata_t meta) {
    l4_checksum() checksum;
    bit<32> sum;

    action sum_flags() {
        sum = (bit<32>)(~meta.target.flags_before) +
              (bit<32>)(hdr.int_md.version ++ hdr.int_md.d ++ hdr.int_md.e ++ hdr.int_md.m ++
                        hdr.int_md.reserved[11:3]);
    }

    /* The words of the block, the hop count (~1), the shim's length and the pseudo-header's. */
    action add_hop() {
        sum = sum + (bit<32>)hdr.int_hop.node_id[31:16] + (bit<32>)hdr.int_hop.node_id[15:0] +
              (bit<32>)hdr.int_hop.ingress_port + (bit<32>)hdr.int_hop.egress_port +
              (bit<32>)(hdr.int_hop.queue_id ++ hdr.int_hop.queue_bytes[23:16]) +
              (bit<32>)hdr.int_hop.queue_bytes[15:0] +
              (bit<32>)hdr.int_hop.egress_timestamp[63:48] +
              (bit<32>)hdr.int_hop.egress_timestamp[47:32] +
              (bit<32>)hdr.int_hop.egress_timestamp[31:16] +
              (bit<32>)hdr.int_hop.egress_timestamp[15:0] +
              (bit<32>)hdr.int_hop.tx_bytes[63:48] + (bit<32>)hdr.int_hop.tx_bytes[47:32] +
              (bit<32>)hdr.int_hop.tx_bytes[31:16] + (bit<32>)hdr.int_hop.tx_bytes[15:0] +
              (bit<32>)hdr.int_hop.capacity_mbps[31:16] +
              (bit<32>)hdr.int_hop.capacity_mbps[15:0] + 0xFFFE + INT_HOP_WORDS + INT_HOP_BYTES;
    }

    apply {
        if (hdr.int_md.isValid()) {
            sum_flags();
            bit<32> udp_more = 0;
            if (meta.telemetry.push) {
                add_hop();
                udp_more = INT_HOP_BYTES;
            }
            /* All ones, 0xFFFF, is no change: nothing then touches a checksum. */
            if (sum != 0xFFFF) {
                checksum.apply(hdr, sum, sum + udp_more);
            }
        }
    }
}  /* int_checksum */

#endif  /* MODEL_INT_CHECKSUM_P4 */
