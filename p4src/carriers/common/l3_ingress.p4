#ifndef CARRIER_L3_INGRESS_P4
#define CARRIER_L3_INGRESS_P4

#include "../../packet.p4"
#include "../../blocks/ip_admission.p4"
#include "../../blocks/l3_route.p4"

/* The ingress of hpcc.p4, with the same names towards the controller. */
control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(DROP_CAUSES, CounterType.packets_and_bytes) drops;

    ip_admission() admission;
    l3_route() route;

    apply {
        bool admitted;
        bit<32> cause;
        admission.apply(hdr, standard_metadata, admitted, cause);
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
}  /* ingress */

#endif  /* CARRIER_L3_INGRESS_P4 */
