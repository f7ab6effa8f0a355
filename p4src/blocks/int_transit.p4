#ifndef INT_TRANSIT_P4
#define INT_TRANSIT_P4

#include "../config.p4"
#include "../headers.p4"
#include "../metadata.p4"

/*
 * Pushes the hop and keeps every length and the UDP checksum true. The checksum is updated by
 * difference (RFC 1624, equation 3): recomputing it would bless packets that were damaged before
 * they came here. A UDP checksum of zero means "none" and stays zero (RFC 768).
 */
control int_transit(inout headers_t hdr,
                    in metadata_t meta,
                    in standard_metadata_t standard_metadata) {
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
        hdr.int_md.remaining_hops = hdr.int_md.remaining_hops - 1;
        hdr.int_shim.length = hdr.int_shim.length + INT_HOP_WORDS;
        hdr.udp.length = hdr.udp.length + INT_HOP_BYTES;
        hdr.ipv4.total_len = hdr.ipv4.total_len + INT_HOP_BYTES;
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

    /* Adds `sum` to the UDP checksum; a result of zero is sent as all ones. */
    action add_to_checksum(bit<32> sum) {
        bit<32> total = (bit<32>)(~hdr.udp.checksum) + sum;
        total = (total & 0xFFFF) + (total >> 16);
        total = (total & 0xFFFF) + (total >> 16);
        hdr.udp.checksum = ~total[15:0];
        hdr.udp.checksum = hdr.udp.checksum == 0 ? 16w0xFFFF : hdr.udp.checksum;
    }

    apply {
        if (hdr.int_md.isValid()) {
            bit<32> sum = meta.telemetry.flag_sum;
            if (meta.telemetry.push) {
                push_hop();
                sum_hop(sum);
                /* The UDP length counts twice (header and pseudo-header); the shim's length is in
                 * the low byte of its word; the remaining hop count went down by one (~1). */
                sum = sum + 2 * INT_HOP_BYTES + INT_HOP_WORDS + 0xFFFE;
            }
            if (hdr.udp.checksum != 0) {
                add_to_checksum(sum);
            }
        }
    }
}  /* int_transit */

#endif  /* INT_TRANSIT_P4 */
