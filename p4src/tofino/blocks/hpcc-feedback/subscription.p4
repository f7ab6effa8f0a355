#ifndef TOFINO_SUBSCRIPTION_P4
#define TOFINO_SUBSCRIPTION_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * Decides whether a packet subscribes to fast feedback: by a DS flag of its INT header or by DSCP.
 * Responses themselves never do.
 */
control subscription(in headers_t hdr, inout metadata_t meta) {
    action subscribe() {
        meta.feedback.is_subscribed = true;
    }

    action pass_by() {
        meta.feedback.is_subscribed = false;
    }

    table subscriber {
        key = {
            meta.deep.is_complete : ternary @name("is_complete");
            hdr.hpcc.isValid()    : ternary @name("is_hpcc");
            hdr.hpcc.type         : ternary @name("type");
            hdr.int_md.isValid()  : ternary @name("has_int_md");
            hdr.int_md.version    : ternary @name("version");
            hdr.int_md.domain_id  : ternary @name("domain_id");
            hdr.int_md.ds_flags   : ternary @name("ds_flags");
            meta.l4.dscp          : ternary @name("dscp");
        }
        actions = { subscribe; pass_by; }
        const default_action = pass_by;
        size = 3;
        const entries = {
            (_, true, HPCC_SWITCH_RESPONSE, _, _, _, _, _) : pass_by();
            (true, _, _, true, INT_VERSION, INT_DOMAIN_ID,
             FEEDBACK_DS_FLAG &&& FEEDBACK_DS_FLAG, _) : subscribe();
            (true, _, _, _, _, _, _, FEEDBACK_DSCP) : subscribe();
        }
    }

    apply {
        subscriber.apply();
    }
}  /* subscription */

#endif  /* TOFINO_SUBSCRIPTION_P4 */
