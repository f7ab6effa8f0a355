#ifndef DROP_WATCH_P4
#define DROP_WATCH_P4

#include "common/config.p4"
#include "../int_v2_ids.p4"
#include "../int_v2_metadata.p4"
#include "report_filter.p4"
#include "v1model/blocks/ip_admission.p4"

/*
 * The watchlist of dropped packets ("Dropped Packets" of Telemetry Report v2.0): which packets that
 * ingress drops are reported. The clone is the packet as it came.
 */
control drop_watch(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    counter(PORT_COUNT, CounterType.packets) suppressed;
    ip_admission() admission;
    report_filter() filter;
    bool is_watched;
    bit<32> session;
    bit<8> window_shift;

    /* Windows are in units of the target's clock. */
    @id(REPORT_DROP_ACTION_ID)
    action report_drop(bit<32> clone_session, bit<8> shift) {
        is_watched = true;
        session = clone_session;
        window_shift = shift;
    }

    @id(IGNORE_DROP_ACTION_ID)
    action ignore_drop() {
    }

    @id(DROPPED_IPV4_TABLE_ID)
    table dropped_ipv4 {
        key = {
            hdr.ipv4.src_addr : ternary @name("hdr.ipv4.src_addr");
            hdr.ipv4.dst_addr : ternary @name("hdr.ipv4.dst_addr");
            meta.l4.protocol  : ternary @name("protocol");
            meta.l4.src_port  : ternary @name("src_port");
            meta.l4.dst_port  : ternary @name("dst_port");
            meta.l4.dscp      : ternary @name("dscp");
        }
        actions = { report_drop; ignore_drop; }
        const default_action = ignore_drop;
        size = WATCH_TABLE_SIZE;
    }

    @id(DROPPED_IPV6_TABLE_ID)
    table dropped_ipv6 {
        key = {
            hdr.ipv6.src_addr : ternary @name("hdr.ipv6.src_addr");
            hdr.ipv6.dst_addr : ternary @name("hdr.ipv6.dst_addr");
            meta.l4.protocol  : ternary @name("protocol");
            meta.l4.src_port  : ternary @name("src_port");
            meta.l4.dst_port  : ternary @name("dst_port");
            meta.l4.dscp      : ternary @name("dscp");
        }
        actions = { report_drop; ignore_drop; }
        const default_action = ignore_drop;
        size = WATCH_TABLE_SIZE;
    }

    apply {
        is_watched = false;
        session = 0;
        window_shift = 0;
        if (hdr.ipv4.isValid()) {
            dropped_ipv4.apply();
        } else if (hdr.ipv6.isValid()) {
            dropped_ipv6.apply();
        }
        if (is_watched) {
            bool admitted;
            bit<32> cause;
            bit<32> flow;
            bool passes;
            admission.apply(hdr, standard_metadata, admitted, cause);
            meta.report.drop_reason = admitted ? DROP_REASON_NO_ROUTE
                : (cause == DROP_TTL_EXPIRED ? DROP_REASON_TTL : DROP_REASON_BAD_IP);
            if (hdr.ipv4.isValid()) {
                hash(flow, HashAlgorithm.crc32, 32w0,
                     { hdr.ipv4.src_addr, hdr.ipv4.dst_addr, meta.l4.protocol, meta.l4.src_port,
                       meta.l4.dst_port }, 32w0xFFFFFFFF);
            } else {
                hash(flow, HashAlgorithm.crc32, 32w0,
                     { hdr.ipv6.src_addr, hdr.ipv6.dst_addr, meta.l4.protocol, meta.l4.src_port,
                       meta.l4.dst_port }, 32w0xFFFFFFFF);
            }
            meta.report.dropped = true;
            meta.report.tracked = meta.found.carrier != CARRIER_NONE;
            meta.node.ingress_port = (bit<16>)standard_metadata.ingress_port;
            meta.node.egress_port = 0xFFFF;
            /* In units of the target, until a port record tells them. */
            meta.node.ingress_time = (bit<64>)standard_metadata.ingress_global_timestamp;
            filter.apply(REPORT_KIND_DROP, flow,
                         (bit<64>)(meta.report.drop_reason ++ meta.node.ingress_port),
                         meta.node.ingress_time, window_shift, passes);
            if (passes) {
                clone_preserving_field_list(CloneType.I2E, session, REPORT_FIELDS);
            } else {
                suppressed.count((bit<32>)standard_metadata.ingress_port);
            }
        }
    }
}  /* drop_watch */

#endif  /* DROP_WATCH_P4 */
