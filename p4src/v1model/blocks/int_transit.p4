#ifndef INT_TRANSIT_P4
#define INT_TRANSIT_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "int_growth.p4"
#include "l4_checksum.p4"

/* Pushes the hop, or accounts for the flag that the admission has set instead. */
control int_transit(inout headers_t hdr,
                    in metadata_t meta,
                    in standard_metadata_t standard_metadata) {
    int_growth(INT_HOP_WORDS) growth;
    l4_checksum() checksum;

    action push_hop() {
        hdr.int_hop.setValid();
        hdr.int_hop.node_id = meta.port.node_id;
        hdr.int_hop.ingress_port = (bit<16>)standard_metadata.ingress_port;
        hdr.int_hop.egress_port = (bit<16>)standard_metadata.egress_port;
        hdr.int_hop.queue_id = (bit<8>)standard_metadata.priority;
        hdr.int_hop.queue_bytes = meta.snapshot.queue_bytes;
        hdr.int_hop.egress_timestamp = meta.snapshot.timestamp_ns;
        hdr.int_hop.tx_bytes = meta.snapshot.tx_bytes;
        hdr.int_hop.capacity_mbps = meta.port.capacity_mbps;
    }

    /* Sum of the 16-bit words of the pushed block. */
    action sum_hop(out bit<32> sum) {
        sum = (bit<32>)hdr.int_hop.node_id[31:16] + (bit<32>)hdr.int_hop.node_id[15:0] +
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
              (bit<32>)hdr.int_hop.capacity_mbps[15:0];
    }

    apply {
        if (meta.telemetry.push) {
            bit<32> sum;
            push_hop();
            sum_hop(sum);
            growth.apply(hdr, sum);
        } else if (meta.telemetry.flag_sum != 0) {
            checksum.apply(hdr, meta.telemetry.flag_sum, meta.telemetry.flag_sum);
        }
    }
}  /* int_transit */

#endif  /* INT_TRANSIT_P4 */
