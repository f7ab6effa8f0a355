#ifndef ADMIT_AND_ROUTE_P4
#define ADMIT_AND_ROUTE_P4

#include "common/config.p4"
#include "common/types.p4"
#include "ip_admission.p4"
#include "l3_route.p4"

/*
 * First step of every switch: admits a packet, routes it, and counts dropped packets by cause;
 * `meta.route.found` is true if the packet has a route. A profile that has a reason of its own
 * against the packet gives it as `refusal`, which counts where IP has none. `causes` is the number
 * of reasons there are. An instance has the name of the ingress, so that a controller finds the
 * same tables in all profiles.
 */
control admit_and_route(inout headers_t hdr,
                        inout metadata_t meta,
                        inout standard_metadata_t standard_metadata,
                        in bit<32> refusal)
                       (bit<32> causes) {
    counter(causes, CounterType.packets_and_bytes) drops;

    ip_admission() admission;
    l3_route() route;

    apply {
        bool admitted;
        bit<32> cause;
        admission.apply(hdr, standard_metadata, admitted, cause);
        if (admitted && refusal != NOT_REFUSED) {
            admitted = false;
            cause = refusal;
        }
        if (admitted) {
            route.apply(hdr, meta, standard_metadata);
            admitted = meta.route.found;
            cause = DROP_NO_ROUTE;
        }
        if (!admitted) {
            drops.count(cause);
            mark_to_drop(standard_metadata);
        }
    }
}  /* admit_and_route */

#endif  /* ADMIT_AND_ROUTE_P4 */
