#ifndef TOFINO_INT_CHECKSUM_P4
#define TOFINO_INT_CHECKSUM_P4

#include "common/config.p4"

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

/* The same for a packet with telemetry, which may have grown by a hop. */
control int_checksum(in headers_t hdr, inout metadata_t meta) {
    l4_renewal() renewal;

    action add_hop() {
        meta.target.pushed_bytes = INT_HOP_BYTES;
    }

    apply {
        if (hdr.int_md.isValid()) {
            renewal.apply(hdr, meta);
            if (meta.telemetry.push) {
                add_hop();
            }
        }
    }
}  /* int_checksum */

#endif  /* TOFINO_INT_CHECKSUM_P4 */
