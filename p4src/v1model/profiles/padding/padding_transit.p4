#ifndef PADDING_TRANSIT_P4
#define PADDING_TRANSIT_P4

#include "padding_headers.p4"
#include "v1model/blocks/ip_length.p4"
#include "v1model/blocks/carrier_units.p4"
#include "v1model/blocks/ones_complement.p4"

/*
 * The 4-bit code of the link's capacity. The paper does not publish its code points: 0 to 4 are the
 * public simulator's, 5 to 7 continue them, 15 says that the capacity has no code.
 */
control padding_speed(in metadata_t meta, out bit<4> code) {
    action set_code(bit<4> value) {
        code = value;
    }

    table speed_code {
        key = { meta.port.capacity_mbps : exact @name("capacity_mbps"); }
        actions = { set_code; }
        const default_action = set_code(15);
        const entries = {
            25000  : set_code(0);
            50000  : set_code(1);
            100000 : set_code(2);
            200000 : set_code(3);
            400000 : set_code(4);
            800000 : set_code(5);
            10000  : set_code(6);
            40000  : set_code(7);
        }
    }

    apply {
        speed_code.apply();
    }
}  /* padding_speed */

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
