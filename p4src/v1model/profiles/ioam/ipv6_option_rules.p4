#ifndef IPV6_OPTION_RULES_P4
#define IPV6_OPTION_RULES_P4

#include "ioam_headers.p4"

/* Index into `ingress.drops`, behind those of types.p4. */
const bit<32> DROP_UNKNOWN_OPTION = 8;
const bit<32> IOAM_DROP_CAUSES = 9;

/*
 * An option that a node does not know says by its two top bits what to do: 00 is "skip it", all
 * others discard the packet (RFC 8200 section 4.2). Options behind the trace are not looked at, and
 * no ICMP message is sent.
 */
control ipv6_option_rules(in metadata_t meta, out bit<32> refusal) {
    apply {
        refusal = meta.ioam.unknown_option_action == 0 ? NOT_REFUSED : DROP_UNKNOWN_OPTION;
    }
}  /* ipv6_option_rules */

#endif  /* IPV6_OPTION_RULES_P4 */
