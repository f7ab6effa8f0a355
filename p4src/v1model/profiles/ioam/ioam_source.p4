#ifndef IOAM_SOURCE_P4
#define IOAM_SOURCE_P4

#include "common/ids.p4"
#include "ioam_headers.p4"
#include "common/config.p4"

/*
 * The encapsulating node: puts watched packets into an outer IPv6 packet with a trace, since a
 * router must not insert options into the packet of another (RFC 8200 section 4, RFC 9486). The
 * outer destination, which takes the packet out again, must lie behind the same port, because the
 * packet is routed already. A packet that would exceed the MTU stays as it is and is counted.
 */
control ioam_source(inout headers_t hdr, inout metadata_t meta) {
    counter(1, CounterType.packets) too_long;
    bool is_watched;
    ipv6_addr_t outer_src_addr;
    ipv6_addr_t outer_dst_addr;
    bit<16> trace_namespace;

    @id(ADD_TRACE_ACTION_ID)
    action add_trace(ipv6_addr_t src_addr, ipv6_addr_t dst_addr, bit<16> namespace_id) {
        is_watched = true;
        outer_src_addr = src_addr;
        outer_dst_addr = dst_addr;
        trace_namespace = namespace_id;
    }

    @id(NO_TRACE_ACTION_ID)
    action no_trace() {
        is_watched = false;
    }

    @id(WATCH_TABLE_ID)
    table watch {
        key = {
            hdr.ipv6.src_addr : ternary @name("hdr.ipv6.src_addr");
            hdr.ipv6.dst_addr : ternary @name("hdr.ipv6.dst_addr");
            hdr.ipv6.dscp     : ternary @name("hdr.ipv6.dscp");
        }
        actions = { add_trace; no_trace; }
        const default_action = no_trace;
        size = IOAM_WATCH_COUNT;
    }

    action encapsulate() {
        hdr.inner_ipv6 = hdr.ipv6;
        hdr.ipv6.payload_length =
            hdr.ipv6.payload_length + IPV6_BYTES + IOAM_SOURCE_HEADER_BYTES;
        hdr.ipv6.next_header = IPV6_HOP_BY_HOP;
        hdr.ipv6.src_addr = outer_src_addr;
        hdr.ipv6.dst_addr = outer_dst_addr;
        hdr.hop_by_hop.setValid();
        hdr.hop_by_hop = { PROTOCOL_IPV6, IOAM_SOURCE_UNITS };
        hdr.pad2.setValid();
        hdr.pad2 = { IPV6_PADN, 0 };
        hdr.ioam_option.setValid();
        hdr.ioam_option =
            { IPV6_IOAM_MUTABLE, IOAM_SOURCE_OPTION_BYTES, 0, IOAM_PREALLOCATED_TRACE };
    }

    /* Free words for the nodes that follow; this node's own words come from ioam_transit.p4. */
    action allocate() {
        hdr.ioam_trace.setValid();
        hdr.ioam_trace = { trace_namespace, IOAM_SOURCE_NODE_WORDS, 0, 0, 0, 0,
                           IOAM_SOURCE_SPARE_WORDS, IOAM_SOURCE_TRACE_TYPE, 0 };
        hdr.ioam_fresh.setValid();
        hdr.ioam_fresh.words = 0;
        meta.ioam.spare_words = IOAM_SOURCE_SPARE_WORDS;
        meta.ioam.is_source = true;
        meta.ioam.added_bytes = IOAM_SOURCE_BYTES;
    }

    apply {
        is_watched = false;
        outer_src_addr = 0;
        outer_dst_addr = 0;
        trace_namespace = 0;
        if (hdr.ipv6.isValid() && !hdr.hop_by_hop.isValid() && meta.port.known) {
            watch.apply();
        }
        if (is_watched) {
            bit<32> ip_bytes = (bit<32>)hdr.ipv6.payload_length + (bit<32>)IPV6_BYTES;
            if (ip_bytes + IOAM_SOURCE_BYTES <= (bit<32>)meta.port.mtu) {
                encapsulate();
                allocate();
            } else {
                too_long.count(0);
            }
        }
    }
}  /* ioam_source */

#endif  /* IOAM_SOURCE_P4 */
