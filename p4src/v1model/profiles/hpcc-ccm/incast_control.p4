#ifndef INCAST_CONTROL_P4
#define INCAST_CONTROL_P4

#include "common/ids.p4"
#include "hpcc_ccm_headers.p4"
#include "hpcc_ccm_types.p4"
#include "v1model/profiles/hpcc-ccm/notifications/notification_send.p4"

/*
 * Decides whether the flow of this packet causes incast: it does if the last switch's port to the
 * host is congested (draft-lyu-rtgwg-coordinated-cm-01 section 6.3.1). The draft allows other
 * methods: another one is another control of this signature.
 */
control incast_flow(in headers_t hdr,
                    in metadata_t meta,
                    in standard_metadata_t standard_metadata,
                    out bool causes_incast) {
    apply {
        causes_incast = meta.congestion.congested && meta.congestion.to_host;
    }
}  /* incast_flow */

/* Mixed into the hashes of type 2, which has an interval of its own. */
const bit<32> RELEASE_HASH = 0x5BD1E995;

/*
 * Tells the sources of incast flows to control congestion (type 1), and those that still do so some
 * time after the port has recovered to stop it (type 2). Both are repeated while true, as each may
 * be lost. While flows under control fill the port, type 1 is renewed before hosts forget it.
 */
control incast_control(in headers_t hdr,
                       inout metadata_t meta,
                       in standard_metadata_t standard_metadata) {
    counter(INCAST_OUTCOMES, CounterType.packets) outcomes;

    incast_flow() method;
    notification_limiter() limiter;
    bit<64> interval;
    bit<64> release_after;
    bit<64> renew_after;
    bit<32> session;

    @id(SET_INCAST_ACTION_ID)
    action set_incast(bit<64> interval_ns,
                      bit<64> release_after_ns,
                      bit<64> renew_after_ns,
                      bit<32> clone_session) {
        interval = interval_ns;
        release_after = release_after_ns;
        renew_after = renew_after_ns;
        session = clone_session;
    }

    @id(INCAST_SETTINGS_TABLE_ID)
    table incast_settings {
        actions = { set_incast; }
        default_action = set_incast(0, 0, 0, 0);
    }

    action describe(bit<4> type) {
        meta.notice.type = type;
        meta.notice.ar_id = 0;
        meta.notice.src_port = meta.l4.src_port;
        meta.notice.dst_port = meta.l4.dst_port;
        meta.notice.queue_bytes = (bit<32>)meta.snapshot.queue_bytes;
        meta.notice.time_ns = meta.snapshot.timestamp_ns[31:0];
    }

    apply {
        if (meta.paths.mode == MODE_COORDINATED && meta.tag.takes_part) {
            bool causes_incast;
            incast_settings.apply();
            method.apply(hdr, meta, standard_metadata, causes_incast);
            bool is_controlled = meta.congestion.to_host && !meta.congestion.congested &&
                                 meta.tag.cc == 1;
            bool is_renewed = is_controlled && meta.congestion.is_full;
            bool is_released = is_controlled && !meta.congestion.is_full &&
                               meta.congestion.calm_ns >= release_after;
            if (causes_incast || is_renewed || is_released) {
                bit<32> mask = is_released ? RELEASE_HASH : 32w0;
                bit<32> outcome = is_released ? INCAST_RELEASED
                                              : (is_renewed ? INCAST_RENEWED : INCAST_REQUIRED);
                bool is_due;
                limiter.apply(meta.flow.hash ^ mask, meta.flow.digest ^ mask[15:0],
                              meta.snapshot.timestamp_ns, is_renewed ? renew_after : interval,
                              is_due);
                if (is_due) {
                    describe(is_released ? CONTROL_RELEASED : CONTROL_REQUIRED);
                    clone_preserving_field_list(CloneType.E2E, session, NOTIFICATION_FIELDS);
                }
                outcomes.count(outcome + (is_due ? 32w0 : INCAST_SUPPRESSED));
            }
        }
    }
}  /* incast_control */

#endif  /* INCAST_CONTROL_P4 */
