#ifndef PADDING_TRANSIT_P4
#define PADDING_TRANSIT_P4

#include "packet.p4"
#include "padding_speed.p4"
#include "../common/ip_growth.p4"
#include "../common/queue_cells.p4"
#include "../../one_complement.p4"

/*
 * Appends the record behind those of earlier hops, takes the node's 12-bit id into pathID, and
 * keeps lengths and the UDP checksum true.
 */
control padding_transit(inout headers_t hdr, in metadata_t meta) {
    padding_speed() speed;
    ip_growth() growth;

    action append(bit<4> code) {
        hdr.padding.hop_count = hdr.padding.hop_count + 1;
        hdr.padding.path_id = hdr.padding.path_id ^ meta.port.node_id[11:0];
        hdr.padding_hop.setValid();
        hdr.padding_hop.speed = code;
        hdr.padding_hop.timestamp_ns = meta.snapshot.timestamp_ns[23:0];
        hdr.padding_hop.tx_units = meta.snapshot.tx_bytes[26:7];
        hdr.padding_hop.queue_units = queue_cells(meta.snapshot.queue_bytes);
        hdr.udp.length = hdr.udp.length + PADDING_HOP_BYTES;
    }

    /* Sum of the 16-bit words that were added or changed. */
    action sum_changes(in bit<16> old_first_word, out bit<32> sum) {
        bit<16> first_word = hdr.padding.hop_count ++ hdr.padding.path_id;
        bit<64> record = hdr.padding_hop.speed ++ hdr.padding_hop.timestamp_ns ++
                         hdr.padding_hop.tx_units ++ hdr.padding_hop.queue_units;
        /* The UDP length counts twice: in the header and in the pseudo-header. */
        sum = (bit<32>)(~old_first_word) + (bit<32>)first_word + 2 * PADDING_HOP_BYTES +
              (bit<32>)record[63:48] + (bit<32>)record[47:32] + (bit<32>)record[31:16] +
              (bit<32>)record[15:0];
    }

    apply {
        if (meta.telemetry.push) {
            bit<4> code;
            bit<32> sum;
            bit<16> old_first_word = hdr.padding.hop_count ++ hdr.padding.path_id;
            speed.apply(meta, code);
            append(code);
            sum_changes(old_first_word, sum);
            hdr.udp.checksum = udp_checksum_plus(hdr.udp.checksum, sum);
            growth.apply(hdr, PADDING_HOP_BYTES);
        }
    }
}  /* padding_transit */

#endif  /* PADDING_TRANSIT_P4 */
