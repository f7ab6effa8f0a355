#ifndef INCAST_FLOW_P4
#define INCAST_FLOW_P4

#include "../packet.p4"

/*
 * Whether the flow of this packet causes incast: it does if the last switch's port to the host is
 * congested (draft-lyu-rtgwg-coordinated-cm-01 section 6.3.1). The draft allows other methods:
 * another one is another control of this signature.
 */
control incast_flow(in headers_t hdr,
                    in metadata_t meta,
                    in standard_metadata_t standard_metadata,
                    out bool causes_incast) {
    apply {
        causes_incast = meta.congestion.congested && meta.congestion.to_host;
    }
}  /* incast_flow */

#endif  /* INCAST_FLOW_P4 */
