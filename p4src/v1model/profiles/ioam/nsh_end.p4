#ifndef NSH_END_P4
#define NSH_END_P4

#include "ioam_headers.p4"
#include "v1model/blocks/v1model_quirks.p4"

/*
 * The end of a service path, where the table of paths says so: takes NSH and IOAM out, and reports
 * the packet as it would have left, with the data of this node. Only a packet of IP can be taken
 * out, behind no other option of IOAM than the trace; others pass as they are, and are counted.
 * `decide` is for before the snapshot, which counts the bytes that leave.
 */
control nsh_end_decision(in headers_t hdr, inout metadata_t meta) {
    counter(1, CounterType.packets) not_taken_out;

    apply {
        if (meta.nsh.ends) {
            bool has_ip = hdr.inner_ipv4.isValid() || hdr.inner_ipv6.isValid();
            if (has_ip && !hdr.nsh_options[0].isValid()) {
                bit<16> words = (bit<16>)hdr.nsh.length + (bit<16>)hdr.nsh_ioam.length;
                meta.nsh.removed_bytes =
                    hdr.nsh_ioam.isValid() ? words << 2 : (bit<16>)hdr.nsh.length << 2;
            } else {
                meta.nsh.ends = false;
                not_taken_out.count(0);
            }
        }
    }
}  /* nsh_end_decision */

/* Keeps what is reported in headers that nobody emits, and leaves the packet inside. */
control nsh_end(inout headers_t hdr, inout metadata_t meta) {
    action keep() {
        hdr.kept.ethernet = hdr.ethernet;
        hdr.kept.nsh = hdr.nsh;
        hdr.kept.context = hdr.nsh_context;
        hdr.kept.head = hdr.nsh_ioam;
        hdr.kept.trace = hdr.ioam_trace;
        hdr.kept.data = hdr.ioam_data;
        hdr.kept.rest = hdr.ioam_rest;
    }

    action take_out_data() {
        hdr.ioam_data.node.setInvalid();
        hdr.ioam_data.interfaces.setInvalid();
        hdr.ioam_data.seconds.setInvalid();
        hdr.ioam_data.fraction.setInvalid();
        hdr.ioam_data.transit_delay.setInvalid();
        hdr.ioam_data.namespace_data.setInvalid();
        hdr.ioam_data.queue_depth.setInvalid();
        hdr.ioam_data.checksum_complement.setInvalid();
        hdr.ioam_data.wide_node.setInvalid();
        hdr.ioam_data.wide_interfaces.setInvalid();
        hdr.ioam_data.wide_namespace_data.setInvalid();
        hdr.ioam_data.buffer_occupancy.setInvalid();
        hdr.ioam_data.tx_bytes.setInvalid();
        hdr.ioam_data.undefined[0].setInvalid();
        hdr.ioam_data.undefined[1].setInvalid();
        hdr.ioam_data.undefined[2].setInvalid();
        hdr.ioam_data.undefined[3].setInvalid();
        hdr.ioam_data.undefined[4].setInvalid();
        hdr.ioam_data.undefined[5].setInvalid();
        hdr.ioam_data.undefined[6].setInvalid();
        hdr.ioam_data.undefined[7].setInvalid();
        hdr.ioam_data.undefined[8].setInvalid();
        hdr.ioam_data.opaque.setInvalid();
    }

    action take_out() {
        hdr.ethernet.ether_type = hdr.inner_ipv4.isValid() ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6;
        hdr.nsh.setInvalid();
        hdr.nsh_context.setInvalid();
        hdr.nsh_ioam.setInvalid();
        hdr.ioam_trace.setInvalid();
        hdr.ioam_rest.setInvalid();
    }

    apply {
        if (meta.nsh.ends) {
            if (hdr.nsh_ioam.isValid()) {
                keep();
                clone_preserving_field_list(CloneType.E2E, meta.nsh.session, NO_FIELDS);
            }
            take_out();
            take_out_data();
        }
    }
}  /* nsh_end */

/* Puts what was kept back, behind a report's headers; the report is of the inner packet alone. */
control nsh_report(inout headers_t hdr, out bit<16> frame_bytes) {
    action put_back() {
        hdr.report.report_type = 0;
        hdr.report.inner_type = 3;
        hdr.inner_ethernet = hdr.kept.ethernet;
        hdr.nsh = hdr.kept.nsh;
        hdr.nsh_context = hdr.kept.context;
        hdr.nsh_ioam = hdr.kept.head;
        hdr.ioam_trace = hdr.kept.trace;
        hdr.ioam_data = hdr.kept.data;
        hdr.ioam_rest = hdr.kept.rest;
    }

    apply {
        put_back();
        bit<16> ip_bytes = hdr.inner_ipv4.isValid() ? hdr.inner_ipv4.total_len
                                                    : hdr.inner_ipv6.payload_length + IPV6_BYTES;
        frame_bytes = ETHERNET_BYTES + ((bit<16>)hdr.nsh.length << 2) +
                      ((bit<16>)hdr.nsh_ioam.length << 2) + ip_bytes;
    }
}  /* nsh_report */

#endif  /* NSH_END_P4 */
