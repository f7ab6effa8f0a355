#ifndef REPORT_EXPORT_P4
#define REPORT_EXPORT_P4

#include "common/config.p4"
#include "../int_v2_ids.p4"
#include "../int_v2_metadata.p4"
#include "packet_copy.p4"
#include "report_words.p4"

/*
 * The bits of a report: what is asked and this node can tell; a bit of what is not available must
 * not be set ("RepMdBits"). Of an unknown domain there is nothing.
 */
control report_bits(in metadata_t meta, out bit<16> bits, out bit<16> ds_bits) {
    apply {
        bits = meta.report.instructions & REPORT_INSTRUCTIONS;
        ds_bits = 0;
        if (meta.report.dropped) {
            bits = REPORT_DROP_INSTRUCTIONS | REPORT_DROP_BIT;
        } else if (meta.report.domain_id == INT_DOMAIN_ID) {
            ds_bits = meta.report.ds_instructions & 0xE000;
        }
        if (meta.node.ingress_interface2 == 0xFFFFFFFF &&
            meta.node.egress_interface2 == 0xFFFFFFFF) {
            bits = bits & 0xFDFF;
        }
        if (meta.node.utilization == 0xFFFFFFFF) {
            bits = bits & 0xFEFF;
        }
        if (meta.node.buffer == 0xFFFFFFFF) {
            bits = bits & 0xFF7F;
        }
    }
}  /* report_bits */

/*
 * Makes a Telemetry Report v2.0 of a clone: the metadata of this node, then the packet from its IP
 * header on as it came to egress, or where ingress dropped it, as it came, cut to what the
 * collector wants. The port of the clone session tells the collector.
 */
control report_export(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    register<bit<32>>(PORT_COUNT) sequences;
    packet_restoration() restoration;
    report_bits() bits;
    report_words() words;
    report_domain_words() domain_words;
    bit<16> inner_limit;

    @id(REPORT_TO_ACTION_ID)
    action report_to(mac_t dst_mac, mac_t src_mac, ipv4_addr_t src_addr, ipv4_addr_t dst_addr,
                     bit<16> src_port, bit<16> dst_port, bit<32> node_id, bit<6> hw_id,
                     bit<16> inner_bytes) {
        bit<32> sequence;
        sequences.read(sequence, (bit<32>)standard_metadata.egress_port);
        sequences.write((bit<32>)standard_metadata.egress_port, sequence + 1);
        hdr.ethernet = { dst_mac, src_mac, ETHERTYPE_IPV4 };
        hdr.report_ipv4.setValid();
        hdr.report_ipv4 = { 4, 5, 0, 0, 0, 0, 2, 0, 64, PROTOCOL_UDP, 0, src_addr, dst_addr };
        hdr.report_udp.setValid();
        hdr.report_udp = { src_port, dst_port, 0, 0 };
        hdr.report.setValid();
        hdr.report.version = 2;
        hdr.report.hw_id = hw_id;
        hdr.report.sequence = sequence[21:0];
        hdr.report.node_id = node_id;
        hdr.report.report_type = 1;
        hdr.report.inner_type = hdr.ipv6.isValid() ? 4w5 : 4w4;
        hdr.report.dropped = meta.report.dropped ? 1w1 : 1w0;
        hdr.report.congested = meta.report.congested ? 1w1 : 1w0;
        hdr.report.tracked = meta.report.tracked ? 1w1 : 1w0;
        inner_limit = inner_bytes;
    }

    @id(REPORT_NOWHERE_ACTION_ID)
    action report_nowhere() {
        mark_to_drop(standard_metadata);
    }

    @id(REPORT_COLLECTOR_TABLE_ID)
    table report_collector {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { report_to; report_nowhere; }
        const default_action = report_nowhere;
        size = PORT_COUNT;
    }

    apply {
        inner_limit = 0;
        if (!meta.report.dropped) {
            restoration.apply(hdr);
        }
        if (report_collector.apply().hit) {
            bit<16> asked;
            bit<16> ds;
            bit<8> count;
            if (meta.report.dropped) {
                meta.node.ingress_time = meta.node.ingress_time *
                                         (bit<64>)meta.port.clock_unit_ns;
            }
            bits.apply(meta, asked, ds);
            words.apply(hdr, meta, asked, count);
            domain_words.apply(hdr, meta, ds, count);
            hdr.report.md_length = count;
            hdr.report_int.setValid();
            hdr.report_int = { asked, meta.report.domain_id, ds, 0 };
            bit<16> inner_bytes = hdr.ipv4.total_len;
            if (hdr.ipv6.isValid()) {
                inner_bytes = hdr.ipv6.payload_length + IPV6_BYTES;
            }
            if (inner_bytes > inner_limit) {
                inner_bytes = inner_limit;
            }
            /* Words, if it is a whole number of them and fits into the field. */
            bit<16> rest_bytes = 8 + ((bit<16>)count << 2) + inner_bytes;
            hdr.report.report_length =
                rest_bytes[1:0] == 0 && rest_bytes < 1020 ? rest_bytes[9:2] : 8w255;
            hdr.report_udp.length = UDP_BYTES + REPORT_BYTES + rest_bytes;
            hdr.report_ipv4.total_len = IPV4_BYTES + hdr.report_udp.length;
            truncate((bit<32>)ETHERNET_BYTES + (bit<32>)hdr.report_ipv4.total_len);
        }
    }
}  /* report_export */

#endif  /* REPORT_EXPORT_P4 */
