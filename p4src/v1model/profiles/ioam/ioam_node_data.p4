#ifndef IOAM_NODE_DATA_P4
#define IOAM_NODE_DATA_P4

#include "ioam_headers.p4"
#include "v1model/blocks/carrier_units.p4"

/*
 * The data of bits 0 to 11 of the trace type (RFC 9197 section 4.4.2), where it is asked for. What
 * this node does not know is all ones. Times are in ns (PTP's format), lengths in bytes.
 */
control ioam_node_data(inout headers_t hdr,
                       in metadata_t meta,
                       in standard_metadata_t standard_metadata) {
    bit<24> t;
    bit<64> arrival_ns;
    bit<64> stamp_ns;
    bit<8> hop_limit;

    action prepare() {
        hop_limit = hdr.nsh.isValid() ? 2w0 ++ hdr.nsh.ttl : hdr.ipv6.hop_limit;
        t = hdr.ioam_trace.trace_type;
        arrival_ns = (bit<64>)standard_metadata.ingress_global_timestamp *
                     (bit<64>)meta.port.clock_unit_ns;
        stamp_ns = meta.ioam.is_hpcc ? meta.snapshot.timestamp_ns : arrival_ns;
    }

    action add_node() {
        hdr.ioam_data.node.setValid();
        hdr.ioam_data.node.hop_limit = hop_limit;
        hdr.ioam_data.node.node_id = meta.port.node_id[23:0];
    }

    action add_interfaces() {
        hdr.ioam_data.interfaces.setValid();
        hdr.ioam_data.interfaces.ingress_port = (bit<16>)standard_metadata.ingress_port;
        hdr.ioam_data.interfaces.egress_port = (bit<16>)standard_metadata.egress_port;
    }

    action add_seconds() {
        bit<64> seconds = whole_seconds(stamp_ns);
        hdr.ioam_data.seconds.setValid();
        hdr.ioam_data.seconds.value = seconds[31:0];
    }

    action add_fraction() {
        bit<64> fraction = stamp_ns - whole_seconds(stamp_ns) * NANOSECONDS_PER_SECOND;
        hdr.ioam_data.fraction.setValid();
        hdr.ioam_data.fraction.value = fraction[31:0];
    }

    /* Beyond 31 bits only the overflow bit is set. */
    action add_transit_delay() {
        bit<64> delay_ns = meta.snapshot.timestamp_ns - arrival_ns;
        hdr.ioam_data.transit_delay.setValid();
        hdr.ioam_data.transit_delay.value =
            delay_ns > 0x7FFFFFFF ? 32w0x80000000 : delay_ns[31:0];
    }

    action add_wide_node() {
        hdr.ioam_data.wide_node.setValid();
        hdr.ioam_data.wide_node.hop_limit = hop_limit;
        hdr.ioam_data.wide_node.node_id = (bit<56>)meta.port.node_id;
    }

    action add_wide_interfaces() {
        hdr.ioam_data.wide_interfaces.setValid();
        hdr.ioam_data.wide_interfaces.ingress_port = (bit<32>)standard_metadata.ingress_port;
        hdr.ioam_data.wide_interfaces.egress_port = (bit<32>)standard_metadata.egress_port;
    }

    action add_wide_namespace_data() {
        hdr.ioam_data.wide_namespace_data.setValid();
        hdr.ioam_data.wide_namespace_data.value = meta.ioam.wide_namespace_data;
    }

    action add_word(inout ioam_word_t word, bit<32> value) {
        word.setValid();
        word.value = value;
    }

    apply {
        if (meta.ioam.fill) {
            prepare();
            if (t[23:23] == 1) { add_node(); }
            if (t[22:22] == 1) { add_interfaces(); }
            if (t[21:21] == 1) { add_seconds(); }
            if (t[20:20] == 1) { add_fraction(); }
            if (t[19:19] == 1) { add_transit_delay(); }
            if (t[18:18] == 1) { add_word(hdr.ioam_data.namespace_data, meta.ioam.namespace_data); }
            if (t[17:17] == 1) {
                add_word(hdr.ioam_data.queue_depth, (bit<32>)meta.snapshot.queue_bytes);
            }
            if (t[16:16] == 1) { add_word(hdr.ioam_data.checksum_complement, 0xFFFFFFFF); }
            if (t[15:15] == 1) { add_wide_node(); }
            if (t[14:14] == 1) { add_wide_interfaces(); }
            if (t[13:13] == 1) { add_wide_namespace_data(); }
            if (t[12:12] == 1) { add_word(hdr.ioam_data.buffer_occupancy, 0xFFFFFFFF); }
        }
    }
}  /* ioam_node_data */

#endif  /* IOAM_NODE_DATA_P4 */
