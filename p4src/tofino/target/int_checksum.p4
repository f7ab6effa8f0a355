#ifndef TOFINO_INT_CHECKSUM_P4
#define TOFINO_INT_CHECKSUM_P4

#include "common/config.p4"
#include "length_checksum.p4"

/* Tells the deparser to renew the TCP or UDP checksum: a UDP checksum of zero stays. */
control l4_renewal(in headers_t hdr, inout metadata_t meta) {
    action renew_udp() {
        meta.target.renews_udp = 1;
    }

    action renew_tcp() {
        meta.target.renews_tcp = 1;
    }

    apply {
        if (hdr.tcp.isValid()) {
            renew_tcp();
        } else if (hdr.udp.checksum != 0) {
            renew_udp();
        }
    }
}  /* l4_renewal */

/* All of a packet with telemetry, which may have grown by a hop, or only got a flag. */
control int_checksum(inout headers_t hdr, inout metadata_t meta) {
    l4_renewal() renewal;
    length_checksum() ipv4;

    action renew_udp() {
        meta.target.renews_udp_with_hop = 1;
    }

    action renew_tcp() {
        meta.target.renews_tcp_with_hop = 1;
        meta.target.pushed_bytes = INT_HOP_BYTES;
    }

    apply {
        if (meta.telemetry.push) {
            ipv4.apply(hdr);
            if (hdr.tcp.isValid()) {
                renew_tcp();
            } else if (hdr.udp.checksum != 0) {
                renew_udp();
            }
        } else if (hdr.int_md.isValid()) {
            renewal.apply(hdr, meta);
        }
    }
}  /* int_checksum */

#endif  /* TOFINO_INT_CHECKSUM_P4 */
