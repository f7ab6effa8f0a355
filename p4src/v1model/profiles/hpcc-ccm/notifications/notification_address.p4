#ifndef NOTIFICATION_ADDRESS_P4
#define NOTIFICATION_ADDRESS_P4

#include "common/ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"

/*
 * A notification goes from this switch to the flow's source host, or to the switch that its AR id
 * names; both by the family of the flow.
 */
control notification_address(inout headers_t hdr,
                             in ipv4_addr_t own_address,
                             in ipv6_addr_t own_ipv6_address,
                             in bit<6> dscp,
                             out bool is_known) {
    @id(SET_POINT_ACTION_ID)
    action set_point(ipv4_addr_t dst_addr) {
        is_known = true;
        hdr.ipv4.dst_addr = dst_addr;
    }

    @id(SET_IPV6_POINT_ACTION_ID)
    action set_ipv6_point(ipv6_addr_t dst_addr) {
        is_known = true;
        hdr.ipv6.dst_addr = dst_addr;
    }

    @id(NO_POINT_ACTION_ID)
    action no_point() {
        is_known = false;
    }

    @id(AR_POINT_TABLE_ID)
    table ar_point {
        key = { hdr.notification.ar_id : exact @name("ar_id"); }
        actions = { set_point; no_point; }
        const default_action = no_point;
        size = PEER_COUNT;
    }

    @id(IPV6_AR_POINT_TABLE_ID)
    table ar_point_ipv6 {
        key = { hdr.notification.ar_id : exact @name("ar_id"); }
        actions = { set_ipv6_point; no_point; }
        const default_action = no_point;
        size = PEER_COUNT;
    }

    apply {
        is_known = true;
        /* Fields of a header that is not there may change: nobody sees them. */
        hdr.ipv4.src_addr = own_address;
        hdr.ipv4.dscp = dscp;
        hdr.ipv6.src_addr = own_ipv6_address;
        hdr.ipv6.dscp = dscp;
        bool is_for_host = hdr.notification.type != REROUTING_REQUIRED ||
                           hdr.notification.ar_id == AR_SOURCE_HOST;
        if (hdr.ipv4.isValid()) {
            if (is_for_host) {
                hdr.ipv4.dst_addr = hdr.notification_ipv4.src_addr;
            } else {
                ar_point.apply();
            }
        } else {
            if (is_for_host) {
                hdr.ipv6.dst_addr = hdr.notification_ipv6.src_addr;
            } else {
                ar_point_ipv6.apply();
            }
        }
    }
}  /* notification_address */

#endif  /* NOTIFICATION_ADDRESS_P4 */
