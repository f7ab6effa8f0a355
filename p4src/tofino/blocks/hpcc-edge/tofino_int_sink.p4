#ifndef TOFINO_INT_SINK_P4
#define TOFINO_INT_SINK_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "edge_metadata.p4"

/*
 * The INT sink, at ports behind which nobody reads telemetry: `meta.strip` says that it is wanted
 * out of this packet, and whether a copy goes to the collector of `session`. What cannot be taken
 * out, as int_strip_decision.p4 has said before, leaves as it came. Of a packet without telemetry
 * it says what the source of the same switch has to know.
 */
control tofino_int_sink(in headers_t hdr,
                 inout metadata_t meta,
                 in port_t egress_port,
                 out session_t session) {
    FRAME_COUNTER(port_t, PORT_COUNT, extracted);
    FRAME_COUNTER(port_t, PORT_COUNT, left);

    action extract() {
        meta.strip.wanted = true;
        meta.strip.restores = true;
    }

    action extract_and_report(session_t clone_session) {
        meta.strip.wanted = true;
        meta.strip.restores = true;
        meta.strip.reports = true;
        session = clone_session;
    }

    action pass_on() {
    }

    table sink_port {
        key = { egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { extract; extract_and_report; pass_on; }
        const default_action = pass_on;
        size = PORT_COUNT;
    }

    apply {
        session = 0;
        sink_port.apply();
        if (meta.strip.restores && hdr.int_md.isValid()) {
            if (meta.strip.fits) {
                COUNT(extracted, egress_port);
            } else {
                COUNT(left, egress_port);
            }
        }
    }
}  /* tofino_int_sink */

#endif  /* TOFINO_INT_SINK_P4 */
