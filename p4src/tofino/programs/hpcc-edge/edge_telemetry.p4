#ifndef TOFINO_EDGE_TELEMETRY_P4
#define TOFINO_EDGE_TELEMETRY_P4

#include "hpcc_edge_headers.p4"
#include "common/config.p4"
#include "tofino/blocks/hpcc-edge/tofino_int_strip.p4"

/* The MTU of the egress port: its record is read in egress, too late for a source in ingress. */
control source_mtu(inout metadata_t meta, in port_t egress_port) {
    action set_mtu(bit<16> mtu) {
        meta.port.mtu = mtu;
    }

    action no_mtu() {
        meta.port.mtu = 0;
    }

    table port_mtu {
        key = { egress_port : exact @name("standard_metadata.egress_port"); }
        actions = { set_mtu; no_mtu; }
        const default_action = no_mtu;
        size = PORT_COUNT;
    }

    apply {
        port_mtu.apply();
    }
}  /* source_mtu */

/* Takes telemetry out with its stack, which only the deparser knows besides. */
control whole_strip(inout headers_t hdr, inout metadata_t meta) {
    tofino_int_strip() strip;

    action remove_stack() {
        hdr.hop_4.setInvalid();
        hdr.hop_3.setInvalid();
        hdr.hop_2.setInvalid();
        hdr.hop_1.setInvalid();
    }

    apply {
        strip.apply(hdr, meta);
        remove_stack();
    }
}  /* whole_strip */

/*
 * Says that the deparser has to renew the checksum behind which telemetry was added or taken out: a
 * UDP checksum of zero stays.
 */
control edge_checksum(in headers_t hdr, inout metadata_t meta) {
    action note_udp_checksum() {
        meta.target.has_udp_checksum = true;
    }

    action grow() {
        meta.target.pushed_bytes = INT_FIXED_BYTES;
        meta.target.renews_tcp = 1;
    }

    /* In ones' complement, less by the bytes taken out. */
    action shrink() {
        meta.target.pushed_bytes = 0xFFFF - meta.strip.bytes;
        meta.target.renews_tcp = 1;
    }

    action renew_udp() {
        meta.target.renews_udp = 1;
    }

    apply {
        if (hdr.udp.checksum != 0) {
            note_udp_checksum();
        }
        if (meta.excess.adds) {
            grow();
        } else if (meta.strip.fits && meta.strip.wanted) {
            shrink();
        }
        if (meta.target.has_udp_checksum &&
            (meta.excess.adds || (meta.strip.fits && meta.strip.wanted))) {
            renew_udp();
        }
    }
}  /* edge_checksum */

#endif  /* TOFINO_EDGE_TELEMETRY_P4 */
