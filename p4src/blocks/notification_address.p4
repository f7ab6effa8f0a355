#ifndef NOTIFICATION_ADDRESS_P4
#define NOTIFICATION_ADDRESS_P4

#include "../packet.p4"
#include "../coordination/config.p4"
#include "../coordination/types.p4"

/* Who gets a notification: the flow's source host, or the switch that its AR id names. */
control notification_address(inout headers_t hdr, out bool is_known) {
    action set_point(ipv4_addr_t dst_addr) {
        is_known = true;
        hdr.ipv4.dst_addr = dst_addr;
    }

    action no_point() {
        is_known = false;
    }

    table ar_point {
        key = { hdr.notification.ar_id : exact @name("ar_id"); }
        actions = { set_point; no_point; }
        const default_action = no_point;
        size = PEER_COUNT;
    }

    apply {
        is_known = true;
        if (hdr.notification.type != REROUTING_REQUIRED ||
            hdr.notification.ar_id == AR_SOURCE_HOST) {
            hdr.ipv4.dst_addr = hdr.notification.src_addr;
        } else {
            ar_point.apply();
        }
    }
}  /* notification_address */

#endif  /* NOTIFICATION_ADDRESS_P4 */
