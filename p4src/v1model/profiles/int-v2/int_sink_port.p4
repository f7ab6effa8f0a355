#ifndef INT_SINK_PORT_P4
#define INT_SINK_PORT_P4

#include "common/config.p4"
#include "int_v2_ids.p4"
#include "int_v2_metadata.p4"
#include "int_removal.p4"

/*
 * The INT sink, at ports behind which nobody reads telemetry: takes INT out and puts the packet
 * back as it was before the source. What is taken out is reported (reports/packet_report.p4), and
 * of a packet whose source this switch is, too, what it would have added. A packet with the D flag
 * ends here.
 */
control int_sink_port(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets_and_bytes) extracted;
    int_removal() removal;
    bool extracts;

    @id(EXTRACT_INT_ACTION_ID)
    action extract_int() {
        extracts = true;
    }

    @id(PASS_INT_ON_ACTION_ID)
    action pass_int_on() {
    }

    @id(INT_EXTRACTION_TABLE_ID)
    table extraction {
        key = { standard_metadata.egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { extract_int; pass_int_on; }
        const default_action = pass_int_on;
        size = PORT_COUNT;
    }

    apply {
        extracts = false;
        extraction.apply();
        if (extracts) {
            /* This switch would take out again what it adds. */
            meta.report.tracked = meta.report.tracked || meta.watch.wanted;
            meta.watch.wanted = false;
            bool discards = hdr.int_header.isValid() && hdr.int_header.d == 1;
            bool is_removed;
            removal.apply(hdr, meta, is_removed);
            if (is_removed) {
                meta.report.tracked = true;
                extracted.count((bit<32>)standard_metadata.egress_port);
                if (discards) {
                    mark_to_drop(standard_metadata);
                }
            }
        }
    }
}  /* int_sink_port */

#endif  /* INT_SINK_PORT_P4 */
