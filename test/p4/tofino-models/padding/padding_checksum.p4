#ifndef MODEL_PADDING_CHECKSUM_P4
#define MODEL_PADDING_CHECKSUM_P4

#include "padding_headers.p4"
#include "v1model/blocks/ones_complement.p4"

/*
 * The UDP checksum by difference after Tofino blocks have appended a record; `word_before` is the
 * first word of the padding as it came.
 */
control padding_checksum(inout headers_t hdr, in metadata_t meta, in bit<16> word_before) {
    /* The UDP length counts twice: in the header and in the pseudo-header. */
    action add_record() {
        bit<64> record = hdr.padding_hop.speed ++ hdr.padding_hop.timestamp_ns ++
                         hdr.padding_hop.tx_units ++ hdr.padding_hop.queue_units;
        bit<32> sum = (bit<32>)(~word_before) +
                      (bit<32>)(hdr.padding.hop_count ++ hdr.padding.path_id) +
                      2 * PADDING_HOP_BYTES + (bit<32>)record[63:48] + (bit<32>)record[47:32] +
                      (bit<32>)record[31:16] + (bit<32>)record[15:0];
        hdr.udp.checksum = udp_checksum_plus(hdr.udp.checksum, sum);
    }

    apply {
        if (meta.telemetry.push) {
            add_record();
        }
    }
}  /* padding_checksum */

#endif  /* MODEL_PADDING_CHECKSUM_P4 */
