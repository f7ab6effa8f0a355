#ifndef NOTIFICATION_EXCHANGE_P4
#define NOTIFICATION_EXCHANGE_P4

#include "common/ids.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "v1model/blocks/ip_admission.p4"
#include "notification_code.p4"
#include "notification_check.p4"
#include "notification_address.p4"
#include "notification_checksum.p4"
#include "notification_number.p4"

/*
 * Notifications at ingress: those that this switch has built get address, number and code; those
 * that come for it are checked, obeyed and, like those without address, `consumed`. What is between
 * others is only routed.
 */
control notification_exchange(inout headers_t hdr,
                              inout metadata_t meta,
                              in standard_metadata_t standard_metadata,
                              out bool consumed) {
    counter(NOTICE_OUTCOMES, CounterType.packets) outcomes;

    ip_admission() admission;
    notification_address() address;
    notification_number() number;
    notification_code() authentication;
    notification_check() check;
    notification_checksum() checksum;
    ipv4_addr_t own_address;
    ipv6_addr_t own_ipv6_address;
    bit<6> own_dscp;
    bit<8> own_key_id;
    bit<32> own_node;
    bit<32> own_boot;
    bit<64> key_low;
    bit<64> key_high;
    bit<32> peer_slot;
    bit<64> code;
    bit<32> outcome;

    @id(SET_SENDER_ACTION_ID)
    action set_sender(bit<32> node_id, ipv4_addr_t src_addr, bit<6> dscp, bit<8> key_id,
                      bit<64> low, bit<64> high, bit<32> boot) {
        own_node = node_id;
        own_address = src_addr;
        own_dscp = dscp;
        own_key_id = key_id;
        key_low = low;
        key_high = high;
        own_boot = boot;
    }

    @id(SENDER_TABLE_ID)
    table sender {
        actions = { set_sender; }
        default_action = set_sender(0, 0, 0, 0, 0, 0, 0);
    }

    @id(SET_IPV6_SENDER_ACTION_ID)
    action set_ipv6_sender(ipv6_addr_t src_addr) {
        own_ipv6_address = src_addr;
    }

    @id(IPV6_SENDER_TABLE_ID)
    table sender_ipv6 {
        actions = { set_ipv6_sender; }
        default_action = set_ipv6_sender(0);
    }

    @id(SET_PEER_ACTION_ID)
    action set_peer(bit<64> low, bit<64> high, bit<32> slot) {
        key_low = low;
        key_high = high;
        peer_slot = slot;
    }

    @id(NO_PEER_ACTION_ID)
    action no_peer() {
    }

    @id(PEER_TABLE_ID)
    table peer {
        key = {
            hdr.notification.sender_node : exact @name("sender_node");
            hdr.notification.key_id      : exact @name("key_id");
        }
        actions = { set_peer; no_peer; }
        const default_action = no_peer;
        size = PEER_COUNT;
    }

    apply {
        consumed = false;
        bool admitted = false;
        bit<32> cause;
        if (hdr.notification.isValid()) {
            admission.apply(hdr, standard_metadata, admitted, cause);
        }
        if (admitted) {
            bool is_known = false;
            meta.is_own_notification = standard_metadata.instance_type == INSTANCE_RECIRCULATED;
            peer_slot = 0;
            outcome = NOTICE_SENT;
            sender.apply();
            sender_ipv6.apply();
            if (meta.is_own_notification) {
                outcome = NOTICE_NO_ADDRESS;
                address.apply(hdr, own_address, own_ipv6_address, own_dscp, is_known);
                if (is_known) {
                    number.apply(hdr, own_node, own_boot, own_key_id);
                }
            } else if ((hdr.ipv4.isValid() && hdr.ipv4.dst_addr == own_address) ||
                       (hdr.ipv6.isValid() && hdr.ipv6.dst_addr == own_ipv6_address)) {
                consumed = true;
                outcome = NOTICE_UNKNOWN_SENDER;
                is_known = peer.apply().hit;
            }
            if (is_known) {
                authentication.apply(hdr, key_low, key_high, code);
                if (consumed) {
                    check.apply(hdr, meta, code, peer_slot, outcome);
                } else {
                    outcome = NOTICE_SENT;
                    hdr.notification_mac.code = code;
                    checksum.apply(hdr);
                }
            }
            if (meta.is_own_notification || consumed) {
                outcomes.count(outcome);
                consumed = consumed || !is_known;
            }
        }
    }
}  /* notification_exchange */

#endif  /* NOTIFICATION_EXCHANGE_P4 */
