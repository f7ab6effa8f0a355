#ifndef INT_WIDE_P4
#define INT_WIDE_P4

#include "queue_headers.p4"
#include "common/metadata.p4"
#include "common/headers.p4"
#include "v1model/blocks/int_admission.p4"
#include "v1model/blocks/int_growth.p4"

/*
 * Puts the bytes of the packet's own queue in place of the traffic manager's depth, which may count
 * packets. The field has 24 bits, so it saturates.
 */
control queue_telemetry(inout metadata_t meta) {
    apply {
        meta.snapshot.queue_bytes =
            meta.queue.own_bytes > 0xFFFFFF ? 24w0xFFFFFF : meta.queue.own_bytes[23:0];
    }
}  /* queue_telemetry */

/*
 * Admission for packets that ask for the wide block. It is counted as sent here, since
 * telemetry_snapshot.p4 knows of the other block only.
 */
control int_wide_admission(inout headers_t hdr,
                           inout metadata_t meta,
                           inout standard_metadata_t standard_metadata) {
    int_admission(INT_WIDE_INSTRUCTIONS, INT_WIDE_DS_INSTRUCTIONS, INT_WIDE_HOP_WORDS) admission;

    apply {
        admission.apply(hdr, meta, standard_metadata);
        if (meta.telemetry.push) {
            meta.telemetry.push = false;
            meta.queue.push_wide = true;
            standard_metadata.packet_length =
                standard_metadata.packet_length + (INT_WIDE_HOP_WORDS << 2);
        }
    }
}  /* int_wide_admission */

/*
 * Pushes the wide block where the admission for wide instructions has agreed; int_transit.p4 has
 * nothing to push then. The length that is counted as sent includes the block.
 */
control int_wide_transit(inout headers_t hdr,
                         in metadata_t meta,
                         in standard_metadata_t standard_metadata) {
    int_growth(INT_WIDE_HOP_WORDS) growth;

    action push_hop() {
        hdr.int_wide_hop.setValid();
        hdr.int_wide_hop = { meta.port.node_id, (bit<16>)standard_metadata.ingress_port,
                             (bit<16>)standard_metadata.egress_port, meta.queue.sojourn_ns,
                             (bit<8>)standard_metadata.priority, meta.snapshot.queue_bytes,
                             meta.snapshot.timestamp_ns, meta.snapshot.tx_bytes,
                             meta.port.capacity_mbps, meta.queue.port_bytes };
    }

    action sum_hop(out bit<32> sum) {
        sum = (bit<32>)hdr.int_wide_hop.node_id[31:16] + (bit<32>)hdr.int_wide_hop.node_id[15:0] +
              (bit<32>)hdr.int_wide_hop.ingress_port + (bit<32>)hdr.int_wide_hop.egress_port +
              (bit<32>)hdr.int_wide_hop.sojourn_ns[31:16] +
              (bit<32>)hdr.int_wide_hop.sojourn_ns[15:0] +
              (bit<32>)(hdr.int_wide_hop.queue_id ++ hdr.int_wide_hop.queue_bytes[23:16]) +
              (bit<32>)hdr.int_wide_hop.queue_bytes[15:0] +
              (bit<32>)hdr.int_wide_hop.egress_timestamp[63:48] +
              (bit<32>)hdr.int_wide_hop.egress_timestamp[47:32] +
              (bit<32>)hdr.int_wide_hop.egress_timestamp[31:16] +
              (bit<32>)hdr.int_wide_hop.egress_timestamp[15:0] +
              (bit<32>)hdr.int_wide_hop.tx_bytes[63:48] +
              (bit<32>)hdr.int_wide_hop.tx_bytes[47:32] +
              (bit<32>)hdr.int_wide_hop.tx_bytes[31:16] +
              (bit<32>)hdr.int_wide_hop.tx_bytes[15:0] +
              (bit<32>)hdr.int_wide_hop.capacity_mbps[31:16] +
              (bit<32>)hdr.int_wide_hop.capacity_mbps[15:0] +
              (bit<32>)hdr.int_wide_hop.port_bytes[31:16] +
              (bit<32>)hdr.int_wide_hop.port_bytes[15:0];
    }

    apply {
        if (meta.queue.push_wide) {
            bit<32> sum;
            push_hop();
            sum_hop(sum);
            growth.apply(hdr, sum);
        }
    }
}  /* int_wide_transit */

#endif  /* INT_WIDE_P4 */
