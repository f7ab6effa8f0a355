#ifndef PADDING_ADMISSION_P4
#define PADDING_ADMISSION_P4

#include "padding_headers.p4"
#include "v1model/blocks/carrier_units.p4"
#include "v1model/blocks/ip_length.p4"

/* UDP header and the first two bytes of the padding. */
const bit<32> PADDING_FIXED_BYTES = 10;

/*
 * Decides whether this node appends its record. The format has no flag that tells why it did not;
 * such packets go on unmodified and are counted.
 */
control padding_admission(in headers_t hdr, inout metadata_t meta) {
    counter(CARRIER_UNSERVED_CAUSES, CounterType.packets) unserved;
    ip_length() length;

    apply {
        meta.telemetry.push = false;
        if (hdr.padding.isValid()) {
            bit<32> ip_bytes;
            bit<32> header_bytes;
            length.apply(hdr, ip_bytes, header_bytes);
            bit<32> udp_bytes = (bit<32>)hdr.udp.length;
            bit<32> padding_bytes =
                PADDING_FIXED_BYTES + (bit<32>)hdr.padding.hop_count * PADDING_HOP_BYTES;
            if (!hdr.padding_older.isValid() || udp_bytes < padding_bytes ||
                udp_bytes + header_bytes > ip_bytes) {
                unserved.count(UNSERVED_BAD_LENGTH);
            } else if (!meta.port.known) {
                unserved.count(UNSERVED_NO_PORT_RECORD);
            } else if (hdr.padding.hop_count == PADDING_MAX_HOPS) {
                unserved.count(UNSERVED_HOP_LIMIT);
            } else if (ip_bytes + PADDING_HOP_BYTES > (bit<32>)meta.port.mtu) {
                unserved.count(UNSERVED_MTU);
            } else {
                meta.telemetry.push = true;
            }
        }
    }
}  /* padding_admission */

#endif  /* PADDING_ADMISSION_P4 */
