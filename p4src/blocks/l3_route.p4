#ifndef L3_ROUTE_P4
#define L3_ROUTE_P4

#include "../config.p4"
#include "../headers.p4"
#include "../metadata.p4"

/*
 * Longest-prefix routing; several next hops share a prefix through an action selector that hashes
 * the 5-tuple. INT never changes the 5-tuple, so telemetry packets take the path of their flow.
 */
control l3_route(inout headers_t hdr,
                 inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) {
    action_selector(HashAlgorithm.crc16, ECMP_MEMBER_COUNT, ECMP_HASH_WIDTH) ecmp;

    /* A seed per switch: without it every tier of a fabric makes the same choice (polarisation). */
    action set_seed(bit<16> seed) {
        meta.route.ecmp_seed = seed;
    }

    table ecmp_seed {
        actions = { set_seed; }
        default_action = set_seed(0);
    }

    action forward(port_t port, mac_t dst_mac, mac_t src_mac) {
        meta.route.found = true;
        standard_metadata.egress_spec = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    table ipv4_route {
        key = {
            hdr.ipv4.dst_addr    : lpm @name("hdr.ipv4.dst_addr");
            hdr.ipv4.src_addr    : selector;
            hdr.ipv4.dst_addr    : selector;
            hdr.ipv4.protocol    : selector;
            meta.l4.src_port     : selector;
            meta.l4.dst_port     : selector;
            meta.route.ecmp_seed : selector;
        }
        actions = { forward; }
        implementation = ecmp;
        size = ROUTE_TABLE_SIZE;
    }

    apply {
        ecmp_seed.apply();
        /* A hit is not enough: a prefix may lead to a group that has no members at the moment. */
        meta.route.found = false;
        ipv4_route.apply();
    }
}  /* l3_route */

#endif  /* L3_ROUTE_P4 */
