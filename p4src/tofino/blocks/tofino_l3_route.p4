#ifndef TOFINO_L3_ROUTE_P4
#define TOFINO_L3_ROUTE_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "flow.p4"

/*
 * Longest-prefix routing as l3_route.p4 does it, with the same tables, for targets that
 * do not multiply: the 5-tuple becomes a CRC-32, and the seed is added, before the selector makes
 * a CRC-16 of the sum. Carries make sums of two seeds differ by more than a constant, which
 * exclusive-ors would not.
 */
control tofino_l3_route(inout headers_t hdr,
                 inout metadata_t meta,
                 inout port_t egress_port) {
    CRC32_HASH(32, ipv4_flow);
    CRC32_HASH(32, ipv6_flow);
    ECMP_SELECTOR(ecmp, ipv4_members, ipv4_choice);
    ECMP_SELECTOR(ipv6_ecmp, ipv6_members, ipv6_choice);

    action hash_ipv4_flow() {
        HASH(32, meta.route.flow, ipv4_flow, IPV4_FLOW);
    }

    action hash_ipv6_flow() {
        HASH(32, meta.route.flow, ipv6_flow, IPV6_FLOW);
    }

    action set_seed(bit<16> seed) {
        meta.route.ecmp_choice = meta.route.flow[15:0] + seed;
    }

    table ecmp_seed {
        actions = { set_seed; }
        default_action = set_seed(0);
        size = 1;
    }

    action forward(port_t port, mac_t dst_mac, mac_t src_mac) {
        meta.route.found = true;
        egress_port = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    action forward_ipv6(port_t port, mac_t dst_mac, mac_t src_mac) {
        meta.route.found = true;
        egress_port = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
    }

    table ipv4_route {
        key = {
            hdr.ipv4.dst_addr       : lpm @name("hdr.ipv4.dst_addr");
            meta.route.ecmp_choice  : selector;
            meta.route.flow[31:16]  : selector;
        }
        actions = { forward; }
        implementation = ecmp;
        size = ROUTE_TABLE_SIZE;
    }

    table ipv6_route {
        key = {
            hdr.ipv6.dst_addr       : lpm @name("hdr.ipv6.dst_addr");
            meta.route.ecmp_choice  : selector;
            meta.route.flow[31:16]  : selector;
        }
        actions = { forward_ipv6; }
        implementation = ipv6_ecmp;
        size = ROUTE_TABLE_SIZE;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4_flow();
        } else {
            hash_ipv6_flow();
        }
        ecmp_seed.apply();
        if (hdr.ipv4.isValid()) {
            ipv4_route.apply();
        } else {
            ipv6_route.apply();
        }
    }
}  /* tofino_l3_route */

#endif  /* TOFINO_L3_ROUTE_P4 */
