#ifndef IOAM_INGRESS_P4
#define IOAM_INGRESS_P4

#include "packet.p4"
#include "ipv6_option_rules.p4"
#include "../../blocks/ip_admission.p4"
#include "../../blocks/l3_route.p4"

/* Index into `ingress.drops`, behind those of types.p4. */
const bit<32> DROP_UNKNOWN_OPTION = 8;
const bit<32> IOAM_DROP_CAUSES = 9;

/* The ingress of hpcc.p4, with the same names towards the controller, and the rules of options. */
control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    counter(IOAM_DROP_CAUSES, CounterType.packets_and_bytes) drops;

    ip_admission() admission;
    ipv6_option_rules() options;
    l3_route() route;

    apply {
        bool admitted;
        bit<32> cause;
        admission.apply(hdr, standard_metadata, admitted, cause);
        if (admitted) {
            options.apply(meta, admitted);
            cause = DROP_UNKNOWN_OPTION;
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
}  /* ingress */

#endif  /* IOAM_INGRESS_P4 */
