#ifndef DSCP_COUNTER_P4
#define DSCP_COUNTER_P4

#include "common/headers.p4"

/* One counter per class of traffic: packets and bytes by DSCP, as the packets come in. */
control dscp_counter(in headers_t hdr) {
    counter(64, CounterType.packets_and_bytes) classes;

    apply {
        if (hdr.ipv4.isValid()) {
            classes.count((bit<32>) hdr.ipv4.dscp);
        } else if (hdr.ipv6.isValid()) {
            classes.count((bit<32>) hdr.ipv6.dscp);
        }
    }
}  /* dscp_counter */

#endif  /* DSCP_COUNTER_P4 */
