#ifndef NSH_CLASSIFIER_P4
#define NSH_CLASSIFIER_P4

#include "nsh_ids.p4"
#include "ioam_headers.p4"
#include "trace_words.p4"
#include "v1model/blocks/ones_complement.p4"

/*
 * The encapsulating node behind NSH: puts watched packets on a service path, with an incremental
 * trace that is empty yet; this node is the first that adds to it. A packet that would exceed the
 * MTU of the path without any node's data stays as it is and is counted.
 */
control nsh_classifier(inout headers_t hdr,
                       inout metadata_t meta,
                       in standard_metadata_t standard_metadata) {
    counter(1, CounterType.packets) too_long;
    bool is_watched;
    bit<24> path;
    bit<8> index;
    bit<16> trace_namespace;
    bit<24> trace_type;
    bit<7> room;
    bit<16> path_mtu;

    @id(ENTER_PATH_ACTION_ID)
    action enter_path(bit<24> path_id, bit<8> service_index, bit<16> namespace_id,
                      bit<24> type, bit<7> room_words, bit<16> mtu) {
        is_watched = true;
        path = path_id;
        index = service_index;
        trace_namespace = namespace_id;
        trace_type = type;
        room = room_words;
        path_mtu = mtu;
    }

    @id(STAY_OUTSIDE_ACTION_ID)
    action stay_outside() {
        is_watched = false;
    }

    @id(CLASSIFY_IPV4_TABLE_ID)
    table classify_ipv4 {
        key = {
            hdr.ipv4.src_addr : ternary @name("hdr.ipv4.src_addr");
            hdr.ipv4.dst_addr : ternary @name("hdr.ipv4.dst_addr");
            hdr.ipv4.dscp     : ternary @name("dscp");
        }
        actions = { enter_path; stay_outside; }
        const default_action = stay_outside;
        size = IOAM_WATCH_COUNT;
    }

    @id(CLASSIFY_IPV6_TABLE_ID)
    table classify_ipv6 {
        key = {
            hdr.ipv6.src_addr : ternary @name("hdr.ipv6.src_addr");
            hdr.ipv6.dst_addr : ternary @name("hdr.ipv6.dst_addr");
            hdr.ipv6.dscp     : ternary @name("dscp");
        }
        actions = { enter_path; stay_outside; }
        const default_action = stay_outside;
        size = IOAM_WATCH_COUNT;
    }

    action add_nsh(bit<8> next_protocol) {
        hdr.ethernet.ether_type = ETHERTYPE_NSH;
        hdr.nsh.setValid();
        hdr.nsh = { 0, 0, 0, NSH_FIRST_TTL, NSH_FIXED_WORDS, 0, NSH_MD_TYPE_2, NSH_NEXT_IOAM,
                    path, index };
        hdr.nsh_ioam.setValid();
        hdr.nsh_ioam = { IOAM_INCREMENTAL_TRACE, NSH_TRACE_WORDS, 0, next_protocol };
    }

    /* NodeLen and the words that this node adds, from the type. */
    action add_empty_trace() {
        bit<16> words = trace_words(trace_type);
        hdr.ioam_trace.setValid();
        hdr.ioam_trace =
            { trace_namespace, words[4:0], 0, 0, 0, 0, room, trace_type, 0 };
        meta.ioam.slot_words = words + (bit<16>)trace_type[1:1];
        meta.ioam.spare_words = (bit<16>)room - meta.ioam.slot_words;
        meta.ioam.is_source = true;
    }

    /*
     * The route has changed the TTL, and with options the checksum, too. bmv2's packet length at
     * egress counts headers that were added and removed, and not those that were only assigned.
     */
    action wrap_ipv4() {
        hdr.inner_ipv4.setValid();
        hdr.inner_ipv4 = hdr.ipv4;
        if (hdr.ipv4.ihl == 5) {
            hdr.inner_ipv4.checksum = checksum_plus(hdr.ipv4.checksum, 0xFFFF - 0x0100);
        }
        hdr.ipv4.setInvalid();
    }

    action wrap_ipv6() {
        hdr.inner_ipv6.setValid();
        hdr.inner_ipv6 = hdr.ipv6;
        hdr.ipv6.setInvalid();
    }

    apply {
        is_watched = false;
        if (hdr.ipv4.isValid()) {
            classify_ipv4.apply();
        } else if (hdr.ipv6.isValid() && !hdr.hop_by_hop.isValid()) {
            classify_ipv6.apply();
        }
        if (is_watched) {
            bit<32> grown_bytes = standard_metadata.packet_length - (bit<32>)ETHERNET_BYTES +
                                  (bit<32>)NSH_ENTRY_BYTES;
            if (grown_bytes > (bit<32>)path_mtu) {
                too_long.count(0);
            } else {
                add_nsh(hdr.ipv4.isValid() ? NSH_NEXT_IPV4 : NSH_NEXT_IPV6);
                add_empty_trace();
                if (hdr.ipv4.isValid()) {
                    wrap_ipv4();
                } else {
                    wrap_ipv6();
                }
            }
        }
    }
}  /* nsh_classifier */

#endif  /* NSH_CLASSIFIER_P4 */
