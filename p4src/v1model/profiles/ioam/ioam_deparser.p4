#ifndef IOAM_DEPARSER_P4
#define IOAM_DEPARSER_P4

#include "ioam_headers.p4"

control packet_deparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.report_udp);
        packet.emit(hdr.report);
        packet.emit(hdr.report_int);
        packet.emit(hdr.report_interfaces);
        packet.emit(hdr.report_latency);
        packet.emit(hdr.report_queue);
        packet.emit(hdr.report_time);
        packet.emit(hdr.report_interfaces2);
        packet.emit(hdr.inner_ethernet);
        packet.emit(hdr.nsh);
        packet.emit(hdr.nsh_context);
        packet.emit(hdr.nsh_options);
        packet.emit(hdr.nsh_ioam);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.hop_by_hop);
        packet.emit(hdr.leading);
        packet.emit(hdr.pad2);
        packet.emit(hdr.ioam_option);
        packet.emit(hdr.ioam_trace);
        packet.emit(hdr.ioam_fresh);
        packet.emit(hdr.ioam_spare);
        /* Either the slot as it came or what this node filled in. */
        packet.emit(hdr.ioam_slot);
        packet.emit(hdr.ioam_data);
        packet.emit(hdr.ioam_rest);
        packet.emit(hdr.inner_ipv4);
        packet.emit(hdr.inner_ipv6);
    }
}

#endif  /* IOAM_DEPARSER_P4 */
