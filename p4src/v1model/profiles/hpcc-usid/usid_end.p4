#ifndef USID_END_P4
#define USID_END_P4

#include "hpcc_usid_headers.p4"
#include "hpcc_usid_ids.p4"
#include "common/config.p4"

/* The next uSID takes the place of the active one, and zeros come in behind the last. */
control usid_shift(inout headers_t hdr) {
    apply {
        hdr.ipv6.dst_addr = hdr.ipv6.dst_addr[127:96] ++ hdr.ipv6.dst_addr[79:0] ++ 16w0;
    }
}  /* usid_shift */

/*
 * Ends a segment of an SRv6 path in a destination of compressed SIDs: a block of 32 bits and up to
 * six uSIDs of 16 bits, of which the first is active (RFC 9800 section 4.1, NEXT-CSID). A uSID of
 * the node (uN, End) is taken away before the packet is routed, one of an adjacency (uA, End.X),
 * which may follow that of the node, behind routing, which sends block and uSID to a port. Hop
 * limit: routing counts one per node, as RFC 9800 does. Without a uSID behind the own one the
 * packet is for this switch: `refusal` says so.
 */
control usid_end(inout headers_t hdr, out bit<2> kind, out bit<32> refusal) {
    usid_shift() shift;
    bit<48> locator;

    @id(END_NODE_ACTION_ID)
    action end_node() {
        kind = USID_NODE;
    }

    @id(END_ADJACENCY_ACTION_ID)
    action end_adjacency() {
        kind = USID_ADJACENCY;
    }

    @id(NOT_OWN_ACTION_ID)
    action not_own() {
    }

    @id(OWN_USIDS_TABLE_ID)
    table own_usids {
        key = { locator : exact @name("locator"); }
        actions = { end_node; end_adjacency; not_own; }
        const default_action = not_own;
        size = 2 * PORT_COUNT;
    }

    apply {
        kind = USID_NONE;
        refusal = NOT_REFUSED;
        if (hdr.ipv6.isValid()) {
            locator = hdr.ipv6.dst_addr[127:80];
            own_usids.apply();
            if (kind == USID_NODE && hdr.ipv6.dst_addr[79:0] != 0) {
                shift.apply(hdr);
                bit<3> first_bits = hdr.ipv6.dst_addr[95:93];
                kind = first_bits == USID_LOCAL ? USID_ADJACENCY : USID_NONE;
            }
            if (kind != USID_NONE && hdr.ipv6.dst_addr[79:0] == 0) {
                refusal = DROP_END_OF_CARRIER;
            }
        }
    }
}  /* usid_end */

#endif  /* USID_END_P4 */
