#ifndef INT_TRUST_P4
#define INT_TRUST_P4

#include "common/ids.p4"
#include "hpcc_edge_metadata.p4"
#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "v1model/blocks/ones_complement.p4"
#include "int_strip.p4"

/*
 * Telemetry from outside the INT domain may be forged. Behind an untrusted port, what carries the
 * DSCP of INT loses its telemetry and gets another DSCP; where the lengths contradict each other
 * only the DSCP goes, so that nobody in the domain takes the bytes for telemetry.
 */
control int_trust(inout headers_t hdr,
                  inout metadata_t meta,
                  in standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets_and_bytes) stripped;
    int_strip() strip;

    @id(TRUST_ACTION_ID)
    action trust() {
    }

    /* `dscp` must not be that of INT, or the port is trusted after all. */
    @id(DISTRUST_ACTION_ID)
    action distrust(bit<6> dscp) {
        meta.l4.dscp = dscp;
    }

    @id(PORT_TRUST_TABLE_ID)
    table port_trust {
        key = { standard_metadata.ingress_port : exact @name("standard_metadata.ingress_port"); }
        actions = { trust; distrust; }
        default_action = trust;
        size = PORT_COUNT;
    }

    apply {
        if (meta.l4.dscp == INT_DSCP) {
            port_trust.apply();
            if (meta.l4.dscp != INT_DSCP) {
                bit<32> stripped_bytes;
                strip.apply(hdr, stripped_bytes);
                if (hdr.ipv4.isValid()) {
                    /* Only headers with options keep this; the others are recomputed. */
                    hdr.ipv4.checksum = checksum_plus(hdr.ipv4.checksum,
                        0xFFFF - ((bit<32>)INT_DSCP << 2) + ((bit<32>)meta.l4.dscp << 2));
                    hdr.ipv4.dscp = meta.l4.dscp;
                } else {
                    hdr.ipv6.dscp = meta.l4.dscp;
                }
                stripped.count((bit<32>)standard_metadata.ingress_port);
            }
        }
    }
}  /* int_trust */

#endif  /* INT_TRUST_P4 */
