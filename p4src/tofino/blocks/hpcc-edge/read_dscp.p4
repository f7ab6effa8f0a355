#ifndef TOFINO_READ_DSCP_P4
#define TOFINO_READ_DSCP_P4

#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * The DSCP of either IP, which stand at different places of a byte; the hash unit of
 * Tofino moves them.
 */
control read_dscp(in headers_t hdr, inout metadata_t meta) {
    action read_ipv4() {
        meta.l4.dscp = hdr.ipv4.dscp;
    }

    action read_ipv6() {
        @in_hash { meta.l4.dscp = hdr.ipv6.dscp; }
    }

    apply {
        if (hdr.ipv4.isValid()) {
            read_ipv4();
        } else {
            read_ipv6();
        }
    }
}  /* read_dscp */

#endif  /* TOFINO_READ_DSCP_P4 */
