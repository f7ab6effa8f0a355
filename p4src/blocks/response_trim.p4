#ifndef RESPONSE_TRIM_P4
#define RESPONSE_TRIM_P4

#include "../headers.p4"

/*
 * Cuts what is left of the payload of the packet that caused a switch response. It happens when the
 * response leaves, since bmv2 forgets about `truncate` when it recirculates; the length that is
 * counted is the one that is sent.
 */
control response_trim(in headers_t hdr, inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.hpcc.isValid() && hdr.hpcc.type == HPCC_SWITCH_RESPONSE) {
            bit<32> frame_bytes = (bit<32>)ETHERNET_BYTES;
            if (hdr.ipv4.isValid()) {
                frame_bytes = frame_bytes + (bit<32>)hdr.ipv4.total_len;
            } else {
                frame_bytes = frame_bytes + (bit<32>)IPV6_BYTES + (bit<32>)hdr.ipv6.payload_length;
            }
            standard_metadata.packet_length = frame_bytes;
            truncate(frame_bytes);
        }
    }
}  /* response_trim */

#endif  /* RESPONSE_TRIM_P4 */
