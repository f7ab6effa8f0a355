#ifndef TOFINO_REPORT_LENGTHS_P4
#define TOFINO_REPORT_LENGTHS_P4

#include "common/headers.p4"
#include "edge_metadata.p4"

/*
 * The lengths of a report, whose packet is cut to what the collector wants. The report itself says
 * that it goes to the end of the datagram: a target that can count its words says those.
 */
control report_lengths(inout headers_t hdr, inout metadata_t meta) {
    action measure_excess() {
        meta.report.excess = meta.report.inner_bytes |-| meta.report.inner_limit;
    }

    action cut() {
        meta.report.rest_bytes = meta.report.inner_bytes - meta.report.excess;
    }

    action add_hop() {
        meta.report.rest_bytes = meta.report.rest_bytes + meta.report.hop_bytes;
    }

    action tell_lengths() {
        hdr.report_udp.length = meta.report.rest_bytes + (UDP_BYTES + REPORT_BYTES);
        hdr.report_ipv4.total_len =
            meta.report.rest_bytes + (IPV4_BYTES + UDP_BYTES + REPORT_BYTES);
    }

    apply {
        measure_excess();
        cut();
        add_hop();
        tell_lengths();
    }
}  /* report_lengths */

#endif  /* TOFINO_REPORT_LENGTHS_P4 */
