#ifndef NOTIFICATION_TRIM_P4
#define NOTIFICATION_TRIM_P4

#include "../packet.p4"
#include "../types.p4"

/*
 * Cuts what is left of the payload of the packet that caused a notification, when the notification
 * leaves: bmv2 forgets about `truncate` when it recirculates.
 */
control notification_trim(in headers_t hdr,
                          in metadata_t meta,
                          inout standard_metadata_t standard_metadata) {
    apply {
        if (meta.is_own_notification) {
            bit<32> frame_bytes = (bit<32>)(ETHERNET_BYTES + hdr.ipv4.total_len);
            standard_metadata.packet_length = frame_bytes;
            truncate(frame_bytes);
        }
    }
}  /* notification_trim */

#endif  /* NOTIFICATION_TRIM_P4 */
