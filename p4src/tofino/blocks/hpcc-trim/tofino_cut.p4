#ifndef TOFINO_CUT_P4
#define TOFINO_CUT_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "trim_metadata.p4"

/*
 * Writes into a packet that is cut what is left of it: lengths, the DSCP of such packets, where INT
 * has taken its place in the shim, and no UDP checksum. That of IPv4 is the target's matter.
 */
control tofino_cut(inout headers_t hdr) {
    action mark_shim() {
        @in_hash { hdr.int_shim.original_dscp = hdr.bridge.dscp[5:0]; }
    }

    action mark_ipv4() {
        @in_hash { hdr.ipv4.dscp = hdr.bridge.dscp[5:0]; }
    }

    action mark_ipv6() {
        @in_hash { hdr.ipv6.dscp = hdr.bridge.dscp[5:0]; }
    }

    action cut_ipv4() {
        hdr.ipv4.total_len = hdr.bridge.frame_bytes - ETHERNET_BYTES;
        hdr.udp.length = hdr.bridge.frame_bytes - (ETHERNET_BYTES + IPV4_BYTES);
        hdr.udp.checksum = 0;
    }

    action cut_ipv6() {
        hdr.ipv6.payload_length = hdr.bridge.frame_bytes - (ETHERNET_BYTES + IPV6_BYTES);
        hdr.udp.length = hdr.bridge.frame_bytes - (ETHERNET_BYTES + IPV6_BYTES);
        hdr.udp.checksum = 0;
    }

    apply {
        if (hdr.int_shim.isValid()) {
            mark_shim();
        } else if (hdr.ipv4.isValid()) {
            mark_ipv4();
        } else {
            mark_ipv6();
        }
        if (hdr.ipv4.isValid()) {
            cut_ipv4();
        } else {
            cut_ipv6();
        }
    }
}  /* tofino_cut */

#endif  /* TOFINO_CUT_P4 */
