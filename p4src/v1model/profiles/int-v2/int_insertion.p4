#ifndef INT_INSERTION_P4
#define INT_INSERTION_P4

#include "common/config.p4"
#include "common/edge_types.p4"
#include "int_v2_metadata.p4"
#include "carrier_change.p4"

/* One more reason to leave a packet alone: the method is not for what the packet is. */
const bit<32> REFUSED_METHOD = 3;
const bit<32> INSERTION_REFUSED_CAUSES = 4;

/*
 * Announces INT in a packet that has got shim and header, and keeps what the packet was in the
 * shim.
 */
control int_announcement(inout headers_t hdr, inout metadata_t meta) {
    action announce(bit<4> carrier_bits, bit<16> original) {
        hdr.shim.carrier_bits = carrier_bits;
        hdr.shim.original = original;
    }

    action by_dscp() {
        announce(0, 8w0 ++ meta.l4.dscp ++ 2w0);
        hdr.ipv4.dscp = INT_DSCP;
        hdr.ipv6.dscp = INT_DSCP;
    }

    action by_port() {
        announce(NPT_ORIGINAL_PORT ++ 2w0, hdr.udp.dst_port);
        meta.change.sum = meta.change.sum + (bit<32>)(~hdr.udp.dst_port) + INT_UDP_PORT;
        hdr.udp.dst_port = INT_UDP_PORT;
    }

    action by_marker() {
        announce(0, 8w0 ++ meta.l4.dscp ++ 2w0);
        hdr.marker.setValid();
        hdr.marker.value = INT_MARKER;
        meta.change.sum = meta.change.sum + (INT_MARKER >> 48) + (INT_MARKER >> 32 & 0xFFFF) +
                          (INT_MARKER >> 16 & 0xFFFF) + (INT_MARKER & 0xFFFF);
    }

    action by_vxlan() {
        bool was_vxlan = hdr.udp.dst_port == VXLAN_PORT;
        bit<8> next = was_vxlan ? VXLAN_ETHERNET : hdr.vxlan.next_protocol;
        announce(0, (was_vxlan ? 8w0x80 : 8w0) ++ next);
        bit<16> flags = hdr.vxlan.flags ++ hdr.vxlan.reserved[15:8];
        bit<16> protocol = hdr.vxlan.reserved[7:0] ++ hdr.vxlan.next_protocol;
        meta.change.sum = meta.change.sum + (bit<32>)(~hdr.udp.dst_port) + (bit<32>)VXLAN_GPE_PORT +
                          (bit<32>)(~flags) + (bit<32>)(flags | 0x0400) + (bit<32>)(~protocol) +
                          (bit<32>)(hdr.vxlan.reserved[7:0] ++ 8w0) + INT_VXLAN_PROTOCOL;
        hdr.udp.dst_port = VXLAN_GPE_PORT;
        hdr.vxlan.flags = hdr.vxlan.flags | 0x04;
        hdr.vxlan.next_protocol = INT_VXLAN_PROTOCOL;
    }

    action by_gre() {
        announce(0, hdr.gre.protocol);
        meta.change.sum = meta.change.sum + (bit<32>)(~hdr.gre.protocol) + INT_GRE_PROTOCOL;
        hdr.gre.protocol = INT_GRE_PROTOCOL;
    }

    /* The option takes the place of the shim, whose sum the caller has taken in. */
    action by_geneve() {
        hdr.geneve_option.setValid();
        hdr.geneve_option.option_class = INT_GENEVE_CLASS;
        hdr.geneve_option.type = (bit<8>)hdr.shim.type;
        hdr.geneve_option.reserved = 0;
        hdr.geneve_option.length = 3;
        hdr.geneve.options_length = hdr.geneve.options_length + 4;
        meta.change.sum = meta.change.sum + INT_GENEVE_CLASS + 0x0400 +
                          (bit<32>)(hdr.geneve_option.type ++ 8w0x03);
        hdr.shim.setInvalid();
    }

    apply {
        if (meta.found.carrier == CARRIER_DSCP) {
            by_dscp();
        } else if (meta.found.carrier == CARRIER_PORT) {
            by_port();
        } else if (meta.found.carrier == CARRIER_MARKER) {
            by_marker();
        } else if (meta.found.carrier == CARRIER_VXLAN) {
            by_vxlan();
        } else if (meta.found.carrier == CARRIER_GRE) {
            by_gre();
        } else if (meta.found.carrier == CARRIER_GENEVE) {
            by_geneve();
        }
        if (hdr.shim.isValid()) {
            meta.change.sum = meta.change.sum + (bit<32>)hdr.shim.original +
                (bit<32>)(hdr.shim.type ++ hdr.shim.carrier_bits ++ hdr.shim.length);
        }
    }
}  /* int_announcement */

/*
 * Puts a new UDP header, or IP and GRE headers with the addresses of the packet, in front of what
 * the packet is, so that INT has a carrier. UDP then has no checksum, and its source port is a
 * hash of the flow, as the specification recommends.
 */
control int_new_carrier(inout headers_t hdr, inout metadata_t meta) {
    action set_inner_l4() {
        hdr.inner_udp = hdr.udp;
        hdr.inner_tcp = hdr.tcp;
        hdr.inner_tcp_options = hdr.tcp_options;
        hdr.udp.setInvalid();
        hdr.tcp.setInvalid();
        hdr.tcp_options.setInvalid();
    }

    action add_udp(bit<16> source) {
        set_inner_l4();
        hdr.udp.setValid();
        hdr.udp = { 0xC000 | source, INT_UDP_PORT, meta.found.ip_payload, 0 };
        hdr.shim.carrier_bits = NPT_ORIGINAL_PROTOCOL ++ 2w0;
        hdr.shim.original = 8w0 ++ meta.l4.protocol;
        hdr.ipv4.protocol = PROTOCOL_UDP;
        hdr.ipv6.next_header = PROTOCOL_UDP;
    }

    action add_gre() {
        set_inner_l4();
        hdr.inner_ipv4 = hdr.ipv4;
        hdr.inner_ipv6 = hdr.ipv6;
        /* Ingress has taken one off the TTL, the high byte of its word. */
        hdr.inner_ipv4.checksum = checksum_plus(hdr.ipv4.checksum, 0xFFFF - 0x0100);
        hdr.gre.setValid();
        hdr.gre = { 0, 0, 0, 0, 0, 0, INT_GRE_PROTOCOL };
        hdr.shim.carrier_bits = 8;
        hdr.shim.original = hdr.ethernet.ether_type;
        hdr.ipv4.protocol = PROTOCOL_GRE;
        hdr.ipv6.next_header = PROTOCOL_GRE;
    }

    apply {
        if (meta.found.carrier == CARRIER_NEW_UDP) {
            bit<32> mixed = meta.route.flow ^ (meta.l4.src_port ++ meta.l4.dst_port);
            add_udp((mixed[31:16] ^ mixed[15:0]) & 0x3FFF);
        } else if (meta.found.carrier == CARRIER_NEW_GRE) {
            add_gre();
        }
    }
}  /* int_new_carrier */

/*
 * The INT source: adds shim and header with an empty stack, and announces them; the admission then
 * treats the packet like any other. Refuses, and counts, where the egress link has no room.
 */
control int_insertion(inout headers_t hdr, inout metadata_t meta) {
    counter(INSERTION_REFUSED_CAUSES, CounterType.packets) refused;
    int_announcement() announcement;
    int_new_carrier() new_carrier;
    carrier_change() change;
    bool is_applicable;
    bool is_whole;
    bit<16> bytes;
    bit<32> ip_bytes;

    action add_headers() {
        hdr.shim.setValid();
        hdr.shim.type = meta.watch.type;
        hdr.shim.length = INT_MD_WORDS;
        hdr.int_header.setValid();
        hdr.int_header = { INT_VERSION, meta.watch.discard, 0, 0, 0, meta.watch.hop_words,
                           meta.watch.max_hops, meta.watch.instructions, meta.watch.domain_id,
                           meta.watch.ds_instructions, 0 };
        meta.found.carrier = meta.watch.carrier;
        meta.change.bytes = bytes;
        meta.change.sum = (bit<32>)(INT_VERSION ++ meta.watch.discard ++ 11w0) +
                          (bit<32>)(3w0 ++ meta.watch.hop_words ++ meta.watch.max_hops) +
                          (bit<32>)meta.watch.instructions + (bit<32>)meta.watch.domain_id +
                          (bit<32>)meta.watch.ds_instructions;
    }

    apply {
        bit<8> carrier = meta.watch.carrier;
        bool is_tunnel = hdr.vxlan.isValid() || hdr.geneve.isValid() || hdr.gre.isValid();
        bool is_l4 = hdr.udp.isValid() || hdr.tcp.isValid();
        bytes = INT_HEADERS_BYTES;
        is_applicable = false;
        if (carrier == CARRIER_DSCP) {
            is_applicable = is_l4 && !is_tunnel;
        } else if (carrier == CARRIER_PORT) {
            is_applicable = hdr.udp.isValid() && !is_tunnel;
        } else if (carrier == CARRIER_NEW_UDP) {
            is_applicable = !is_tunnel;
            bytes = INT_HEADERS_BYTES + UDP_BYTES;
        } else if (carrier == CARRIER_MARKER) {
            is_applicable = is_l4 && !is_tunnel;
            bytes = INT_HEADERS_BYTES + MARKER_BYTES;
        } else if (carrier == CARRIER_GRE) {
            is_applicable = hdr.gre.isValid();
        } else if (carrier == CARRIER_VXLAN) {
            is_applicable = hdr.vxlan.isValid();
        } else if (carrier == CARRIER_GENEVE) {
            is_applicable = hdr.geneve.isValid() && hdr.geneve.options_length < 60;
        } else if (carrier == CARRIER_NEW_GRE) {
            is_applicable = !is_tunnel;
            bytes = INT_HEADERS_BYTES + GRE_BYTES +
                    (hdr.ipv4.isValid() ? IPV4_BYTES : IPV6_BYTES);
        }
        ip_bytes = (bit<32>)meta.found.ip_payload +
                   (hdr.ipv4.isValid() ? (bit<32>)IPV4_BYTES : (bit<32>)IPV6_BYTES);
        is_whole = !hdr.udp.isValid() || hdr.udp.length == meta.found.ip_payload;
        if (hdr.tcp.isValid()) {
            is_whole = (bit<32>)hdr.tcp.data_offset << 2 <= (bit<32>)meta.found.ip_payload;
        }
        if (!is_applicable) {
            refused.count(REFUSED_METHOD);
        } else if (!meta.port.known) {
            refused.count(REFUSED_NO_PORT_RECORD);
        } else if (ip_bytes + (bit<32>)bytes > (bit<32>)meta.port.mtu) {
            refused.count(REFUSED_MTU);
        } else if (!is_whole) {
            refused.count(REFUSED_BAD_LENGTH);
        } else {
            add_headers();
            new_carrier.apply(hdr, meta);
            announcement.apply(hdr, meta);
            if (meta.found.carrier == CARRIER_NEW_GRE) {
                meta.found.carrier = CARRIER_GRE;
            }
            change.apply(hdr, meta, false);
            meta.frame_bytes = meta.frame_bytes + (bit<32>)bytes;
        }
    }
}  /* int_insertion */

#endif  /* INT_INSERTION_P4 */
