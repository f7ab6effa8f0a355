#ifndef WANTING_PATH_P4
#define WANTING_PATH_P4

#include "v1model/profiles/hpcc-ccm/hpcc_ccm_headers.p4"
#include "v1model/profiles/hpcc-ccm/hpcc_ccm_types.p4"
#include "upstream_request.p4"

/*
 * Handles a packet that may change its path and has no light one (section 6.3.5): notifies the
 * rerouting point upstream that its tag names or, without one or where that did not help, has the
 * hosts notified.
 */
control wanting_path(inout headers_t hdr,
                     inout metadata_t meta,
                     in port_t port,
                     in bit<32> own_ar_id,
                     in bit<64> interval_ns,
                     in bit<32> clone_session,
                     out bit<32> outcome,
                     out bool needs_mark) {
    upstream_request() upstream;

    apply {
        if (meta.paths.mode == MODE_COORDINATED && meta.tag.ar_valid == 1 &&
            meta.tag.ar_id != own_ar_id) {
            bool is_due;
            bool is_unheeded;
            upstream.apply(hdr, meta, port, interval_ns, clone_session, is_due, is_unheeded);
            outcome = is_due ? PATH_ASKED_UPSTREAM
                             : (is_unheeded ? PATH_WANTING : PATH_ASKED_BEFORE);
            needs_mark = is_unheeded;
        } else {
            outcome = PATH_WANTING;
            needs_mark = true;
        }
    }
}  /* wanting_path */

#endif  /* WANTING_PATH_P4 */
