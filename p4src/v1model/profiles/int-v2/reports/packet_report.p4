#ifndef PACKET_REPORT_P4
#define PACKET_REPORT_P4

#include "common/config.p4"
#include "../int_v2_ids.p4"
#include "../int_v2_metadata.p4"
#include "packet_copy.p4"
#include "queue_watch.p4"
#include "report_filter.p4"

/*
 * The first step of reports, before anything changes the packet: whether this node reports at all,
 * and then the packet as it came and the state of its queue.
 */
control report_preparation(inout headers_t hdr, inout metadata_t meta,
                           in standard_metadata_t standard_metadata) {
    packet_keeping() keeping;
    queue_watch() queue;

    /* Windows are 2^shift ns, latency is the same within 2^latency_shift ns. */
    @id(SET_REPORTS_ACTION_ID)
    action set_reports(bit<32> clone_session, bit<8> shift, bit<8> latency_shift) {
        meta.report.configured = true;
        meta.report.session = clone_session;
        meta.report.window_shift = shift;
        meta.report.latency_shift = latency_shift;
    }

    @id(SET_NO_REPORTS_ACTION_ID)
    action set_no_reports() {
        meta.report.configured = false;
    }

    @id(REPORT_SETTINGS_TABLE_ID)
    table report_settings {
        actions = { set_reports; set_no_reports; }
        default_action = set_no_reports();
    }

    /* A report on its way to a collector, from wherever: a report of it would have no end. */
    @id(EXEMPT_ACTION_ID)
    action exempt() {
        meta.report.configured = false;
    }

    @id(REPORT_AS_OTHERS_ACTION_ID)
    action report_as_others() {
    }

    @id(EXEMPT_FLOWS_TABLE_ID)
    table exempt_flows {
        key = {
            hdr.ipv4.dst_addr : exact @name("hdr.ipv4.dst_addr");
            hdr.udp.dst_port  : exact @name("dst_port");
        }
        actions = { exempt; report_as_others; }
        const default_action = report_as_others;
        size = EXEMPT_FLOWS_SIZE;
    }

    apply {
        report_settings.apply();
        if (hdr.ipv4.isValid() && hdr.udp.isValid()) {
            exempt_flows.apply();
        }
        if (meta.report.configured) {
            keeping.apply(hdr);
            queue.apply(meta, standard_metadata);
        }
    }
}  /* report_preparation */

/*
 * The last step of reports: a clone of the packet becomes one, if it is of a tracked flow, whose
 * INT ends here, has no stack, or is not in the packet at all, or if it met a congested queue.
 */
control report_decision(in headers_t hdr, inout metadata_t meta,
                        inout standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets) suppressed;
    report_filter() filter;

    action ask_as_source() {
        meta.report.instructions = meta.report.instructions | meta.watch.instructions;
        meta.report.domain_id = meta.watch.domain_id;
        meta.report.ds_instructions = meta.watch.ds_instructions;
    }

    action ask_as_header() {
        meta.report.instructions = meta.report.instructions | hdr.kept_int_header.instructions;
        meta.report.domain_id = hdr.kept_int_header.domain_id;
        meta.report.ds_instructions = hdr.kept_int_header.ds_instructions;
    }

    apply {
        if (meta.report.configured && (meta.report.tracked || meta.report.reports_queue)) {
            bit<8> kind = REPORT_KIND_QUEUE;
            if (meta.report.tracked) {
                kind = REPORT_KIND_TRACKED;
                if (hdr.kept_int_header.isValid()) {
                    ask_as_header();
                } else {
                    ask_as_source();
                }
            } else {
                /* Telemetry inside of a report says that its flow is tracked. */
                meta.report.tracked = hdr.kept_int_header.isValid();
            }
            bit<32> flow = meta.route.flow ^ (meta.l4.src_port ++ meta.l4.dst_port);
            bit<32> latency = meta.node.latency_ns >> meta.report.latency_shift;
            bit<64> state = meta.node.ingress_port ++ meta.node.egress_port ++ latency;
            bool passes;
            filter.apply(kind, flow, state, meta.node.egress_time, meta.report.window_shift,
                         passes);
            if (passes) {
                clone_preserving_field_list(CloneType.E2E, meta.report.session, REPORT_FIELDS);
            } else {
                suppressed.count((bit<32>)standard_metadata.egress_port);
            }
        }
    }
}  /* report_decision */

#endif  /* PACKET_REPORT_P4 */
