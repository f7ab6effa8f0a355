#ifndef INT_SINK_P4
#define INT_SINK_P4

#include "common/ids.p4"
#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "int_strip.p4"
#include "v1model/blocks/l4_checksum.p4"

/*
 * The INT sink, at ports behind which nobody reads telemetry: takes it out, restores the DSCP, and
 * where the port has a clone session, sends what it took to a collector (int_report.p4). The own
 * hop is not pushed but reported beside the stack. That holds for what the source of this same
 * switch has added, too. What cannot be stripped leaves as it came. A packet with the D flag ends
 * here; its clone does not.
 */
control int_sink(inout headers_t hdr,
                 inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets_and_bytes) extracted;
    int_strip() strip;
    l4_checksum() checksum;
    bool extracts;
    bool reports;
    bit<32> session;

    @id(EXTRACT_ACTION_ID)
    action extract() {
        extracts = true;
    }

    @id(EXTRACT_AND_REPORT_ACTION_ID)
    action extract_and_report(bit<32> clone_session) {
        extracts = true;
        reports = true;
        session = clone_session;
    }

    @id(PASS_ON_ACTION_ID)
    action pass_on() {
    }

    @id(SINK_PORT_TABLE_ID)
    table sink_port {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { extract; extract_and_report; pass_on; }
        const default_action = pass_on;
        size = PORT_COUNT;
    }

    action keep_for_report() {
        hdr.taken_shim = hdr.int_shim;
        hdr.taken_md = hdr.int_md;
        hdr.taken_stack = hdr.int_stack;
        meta.sink.has_hop = meta.telemetry.push;
        meta.sink.ingress_port = (bit<16>)standard_metadata.ingress_port;
        meta.sink.egress_port = (bit<16>)standard_metadata.egress_port;
        meta.sink.queue_id = (bit<8>)standard_metadata.priority;
        meta.sink.dscp = hdr.ipv4.isValid() ? hdr.ipv4.dscp : hdr.ipv6.dscp;
        meta.sink.ip_length = hdr.ipv4.isValid() ? hdr.ipv4.total_len : hdr.ipv6.payload_length;
        meta.sink.udp_length = hdr.udp.length;
        meta.sink.checksum = hdr.udp.isValid() ? hdr.udp.checksum : hdr.tcp.checksum;
    }

    action restore_dscp() {
        hdr.ipv4.dscp = hdr.taken_shim.original_dscp;
        hdr.ipv6.dscp = hdr.taken_shim.original_dscp;
        meta.telemetry.push = false;
    }

    apply {
        extracts = false;
        reports = false;
        session = 0;
        if (hdr.int_md.isValid()) {
            sink_port.apply();
        }
        if (extracts) {
            bit<32> stripped_bytes;
            /* A flag that the admission has just set is part of what is taken out. */
            if (meta.telemetry.flag_sum != 0) {
                checksum.apply(hdr, meta.telemetry.flag_sum, meta.telemetry.flag_sum);
                meta.telemetry.flag_sum = 0;
            }
            keep_for_report();
            strip.apply(hdr, stripped_bytes);
            if (stripped_bytes != 0) {
                restore_dscp();
                standard_metadata.packet_length = standard_metadata.packet_length - stripped_bytes;
                extracted.count((bit<32>)standard_metadata.egress_port);
                if (hdr.taken_md.d == 1) {
                    mark_to_drop(standard_metadata);
                }
                if (reports) {
                    clone_preserving_field_list(CloneType.E2E, session, REPORT_FIELDS);
                }
            }
        }
    }
}  /* int_sink */

#endif  /* INT_SINK_P4 */
