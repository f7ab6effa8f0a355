#ifndef DEX_REPORT_P4
#define DEX_REPORT_P4

#include "dex_ids.p4"
#include "ioam_headers.p4"
#include "nsh_end.p4"

/*
 * Makes a Telemetry Report v2.0 of a clone, since RFC 9326 leaves the format open: what the option
 * asks of this node as metadata of INT, then the packet from its IPv6 header on, which has
 * namespace, flow id and sequence number in the option itself, cut to what the collector wants. Of
 * a clone of nsh_end.p4 it is the frame with its trace.
 */
control dex_report(inout headers_t hdr,
                   in metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    register<bit<32>>(PORT_COUNT) sequences;
    bit<16> inner_limit;
    nsh_report() trace_report;

    @id(EXPORT_TO_ACTION_ID)
    action report_to(mac_t dst_mac, mac_t src_mac, ipv4_addr_t src_addr, ipv4_addr_t dst_addr,
                     bit<16> src_port, bit<16> dst_port, bit<32> node_id, bit<6> hw_id,
                     bit<16> inner_bytes) {
        bit<32> sequence;
        sequences.read(sequence, (bit<32>)standard_metadata.egress_port);
        sequences.write((bit<32>)standard_metadata.egress_port, sequence + 1);
        hdr.ethernet = { dst_mac, src_mac, ETHERTYPE_IPV4 };
        /* A packet with IOAM is IPv6: this header is free. */
        hdr.ipv4.setValid();
        hdr.ipv4 = { 4, 5, 0, 0, 0, 0, 2, 0, 64, PROTOCOL_UDP, 0, src_addr, dst_addr };
        hdr.report_udp.setValid();
        hdr.report_udp = { src_port, dst_port, 0, 0 };
        hdr.report.setValid();
        hdr.report = { 2, hw_id, sequence[21:0], node_id, 1, 5, 0, 0, 0, 0, 1, 0, 0 };
        inner_limit = inner_bytes;
    }

    @id(EXPORT_NOWHERE_ACTION_ID)
    action report_nowhere() {
        mark_to_drop(standard_metadata);
    }

    @id(EXPORT_COLLECTOR_TABLE_ID)
    table report_collector {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { report_to; report_nowhere; }
        const default_action = report_nowhere;
        size = PORT_COUNT;
    }

    action add_word(inout ioam_word_t word, bit<32> value) {
        word.setValid();
        word.value = value;
        hdr.report.md_length = hdr.report.md_length + 1;
    }

    action add_wide_word(inout ioam_wide_word_t word, bit<64> value) {
        word.setValid();
        word.value = value;
        hdr.report.md_length = hdr.report.md_length + 2;
    }

    apply {
        inner_limit = 0;
        if (report_collector.apply().hit) {
            bit<16> asked = meta.dex.asked;
            bit<16> inner_bytes = hdr.ipv6.payload_length + IPV6_BYTES;
            if (hdr.kept.nsh.isValid()) {
                trace_report.apply(hdr, inner_bytes);
            } else {
                hdr.report_int.setValid();
                hdr.report_int = { asked, 0, 0, 0 };
                if (asked[14:14] == 1) { add_word(hdr.report_interfaces, meta.dex.interfaces); }
                if (asked[13:13] == 1) { add_word(hdr.report_latency, meta.dex.latency_ns); }
                if (asked[12:12] == 1) { add_word(hdr.report_queue, meta.dex.queue); }
                if (asked[11:10] != 0) { add_wide_word(hdr.report_time, meta.dex.stamp_ns); }
                if (asked[9:9] == 1) {
                    add_wide_word(hdr.report_interfaces2,
                                  16w0 ++ meta.dex.interfaces[31:16] ++
                                  16w0 ++ meta.dex.interfaces[15:0]);
                }
            }
            if (inner_bytes > inner_limit) {
                inner_bytes = inner_limit;
            }
            /* Words, if it is a whole number of them and fits into the field. */
            bit<16> own_bytes = hdr.report_int.isValid() ? 16w8 : 0;
            bit<16> rest_bytes =
                own_bytes + ((bit<16>)hdr.report.md_length << 2) + inner_bytes;
            hdr.report.report_length =
                rest_bytes[1:0] == 0 && rest_bytes < 1020 ? rest_bytes[9:2] : 8w255;
            hdr.report_udp.length = UDP_BYTES + REPORT_BYTES + rest_bytes;
            hdr.ipv4.total_len = IPV4_BYTES + hdr.report_udp.length;
            truncate((bit<32>)ETHERNET_BYTES + (bit<32>)hdr.ipv4.total_len);
        }
    }
}  /* dex_report */

#endif  /* DEX_REPORT_P4 */
