#ifndef L3_ROUTE_P4
#define L3_ROUTE_P4

#include "common/ids.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "ones_complement.p4"

/* Odd numbers with half of their bits set, in no regular order: products by them lose nothing. */
const bit<32> ECMP_SRC_FACTOR = 0x9e3779b1;
const bit<32> ECMP_DST_FACTOR = 0x85ebca77;
const bit<32> ECMP_PROTOCOL_FACTOR = 0x27d4eb2f;
const bit<32> ECMP_PORTS_FACTOR = 0xc2b2ae3d;
const bit<32> ECMP_SEED_FACTOR = 0x165667b1;
const bit<32> ECMP_FIRST_FACTOR = 0x85ebca6b;
const bit<32> ECMP_SECOND_FACTOR = 0xc2b2ae35;

/*
 * Longest-prefix routing for IPv4 and IPv6; several next hops share a prefix through an action
 * selector that chooses by the 5-tuple. INT never changes the 5-tuple, so telemetry packets and
 * probes take the path of their flow. The two families have a selector each, since their actions
 * differ.
 */
control l3_route(inout headers_t hdr,
                 inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) {
    @id(ECMP_SELECTOR_ID)
    action_selector(HashAlgorithm.crc16, ECMP_MEMBER_COUNT, ECMP_HASH_WIDTH) ecmp;
    @id(IPV6_ECMP_SELECTOR_ID)
    action_selector(HashAlgorithm.crc16, ECMP_MEMBER_COUNT, ECMP_HASH_WIDTH) ipv6_ecmp;

    /*
     * A seed per switch: without it every tier of a fabric makes the same choice (polarisation).
     * The products matter: a seed among the inputs of a CRC would only add a constant to it, and
     * flows that collide in one switch would collide in all. What the selector makes of the
     * choice may then be linear.
     */
    @id(SET_SEED_ACTION_ID)
    action set_seed(bit<16> seed) {
        bit<32> flow = meta.route.flow
                       + (meta.l4.src_port ++ meta.l4.dst_port) * ECMP_PORTS_FACTOR;
        bit<32> mixed = flow ^ (flow >> 16) ^ ((bit<32>) seed * ECMP_SEED_FACTOR);
        mixed = mixed * ECMP_FIRST_FACTOR;
        mixed = (mixed ^ (mixed >> 15)) * ECMP_SECOND_FACTOR;
        meta.route.ecmp_choice = mixed[31:16];
    }

    @id(ECMP_SEED_TABLE_ID)
    table ecmp_seed {
        actions = { set_seed; }
        default_action = set_seed(0);
    }

    @id(FORWARD_ACTION_ID)
    action forward(port_t port, mac_t dst_mac, mac_t src_mac) {
        meta.route.found = true;
        standard_metadata.egress_spec = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    @id(FORWARD_IPV6_ACTION_ID)
    action forward_ipv6(port_t port, mac_t dst_mac, mac_t src_mac) {
        meta.route.found = true;
        standard_metadata.egress_spec = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
    }

    @id(IPV4_ROUTE_TABLE_ID)
    table ipv4_route {
        key = {
            hdr.ipv4.dst_addr      : lpm @name("hdr.ipv4.dst_addr");
            meta.route.ecmp_choice : selector;
        }
        actions = { forward; }
        implementation = ecmp;
        size = ROUTE_TABLE_SIZE;
    }

    @id(IPV6_ROUTE_TABLE_ID)
    table ipv6_route {
        key = {
            hdr.ipv6.dst_addr      : lpm @name("hdr.ipv6.dst_addr");
            meta.route.ecmp_choice : selector;
        }
        actions = { forward_ipv6; }
        implementation = ipv6_ecmp;
        size = ROUTE_TABLE_SIZE;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            meta.route.flow = hdr.ipv4.src_addr * ECMP_SRC_FACTOR
                              + hdr.ipv4.dst_addr * ECMP_DST_FACTOR
                              + (bit<32>) ECMP_IPV4_PROTOCOL * ECMP_PROTOCOL_FACTOR;
        } else {
            /* No base, and a divisor that leaves all 32 bits; 32 bits also hold the divisor. */
            hash(meta.route.flow, HashAlgorithm.crc32, 32w0,
                 { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, ECMP_IPV6_PROTOCOL }, 32w0xffffffff);
        }
        ecmp_seed.apply();
        /* A hit is not enough: a prefix may lead to a group that has no members at the moment. */
        meta.route.found = false;
        if (hdr.ipv4.isValid()) {
            ipv4_route.apply();
            /* A header with options is not recomputed: the TTL is the high byte of its word. */
            if (meta.route.found && hdr.ipv4.ihl != 5) {
                hdr.ipv4.checksum = checksum_plus(hdr.ipv4.checksum, 0xFFFF - 0x0100);
            }
        } else {
            ipv6_route.apply();
        }
    }
}  /* l3_route */

#endif  /* L3_ROUTE_P4 */
