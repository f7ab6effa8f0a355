#ifndef DEX_WATCH_P4
#define DEX_WATCH_P4

#include "dex_ids.p4"
#include "ioam_headers.p4"
#include "v1model/blocks/v1model_quirks.p4"

/*
 * Decides whether this node exports data for a packet with the Direct Export option (RFC 9326): the
 * interface takes IOAM, a namespace says so, and the last export through this port was at least
 * `gap_ns` ago, which bounds the load on the way to the collector (RFC 9326 section 3.1.2). The
 * packet stays as it is: a clone becomes the report.
 */
control dex_watch(in headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    counter(DEX_CAUSES, CounterType.packets) unexported;
    register<bit<64>>(PORT_COUNT) last_ns;
    bool is_known;
    bool is_hpcc;
    bit<32> session;
    bit<64> gap_ns;

    @id(EXPORT_DIRECTLY_ACTION_ID)
    action export_directly(bit<1> with_departure, bit<32> clone_session, bit<64> gap) {
        is_known = true;
        is_hpcc = with_departure == 1;
        session = clone_session;
        gap_ns = gap;
    }

    @id(EXPORT_NOTHING_ACTION_ID)
    action export_nothing() {
        is_known = false;
    }

    @id(DIRECT_EXPORTS_TABLE_ID)
    table direct_exports {
        key = { meta.dex.namespace_id : exact @name("namespace_id"); }
        actions = { export_directly; export_nothing; }
        const default_action = export_nothing;
        size = IOAM_NAMESPACE_COUNT;
    }

    /* Metadata of reports that answer bits of the trace type; of others there is none here. */
    action ask() {
        bit<24> t = meta.dex.trace_type;
        bit<1> time = t[21:21] | t[20:20];
        bit<1> departure = is_hpcc ? time : 1w0;
        meta.dex.asked = 1w0 ++ t[22:22] ++ t[19:19] ++ t[17:17] ++ (time & ~departure) ++
                         departure ++ t[14:14] ++ 9w0;
    }

    action measure() {
        bit<64> arrival_ns = (bit<64>)standard_metadata.ingress_global_timestamp *
                             (bit<64>)meta.port.clock_unit_ns;
        bit<64> delay_ns = meta.snapshot.timestamp_ns - arrival_ns;
        meta.dex.stamp_ns = is_hpcc ? meta.snapshot.timestamp_ns : arrival_ns;
        meta.dex.latency_ns = delay_ns > 0xFFFFFFFE ? 32w0xFFFFFFFE : delay_ns[31:0];
        meta.dex.interfaces = (bit<16>)standard_metadata.ingress_port ++
                              (bit<16>)standard_metadata.egress_port;
        meta.dex.queue = 8w0 ++ meta.snapshot.queue_bytes;
    }

    apply {
        is_known = false;
        is_hpcc = false;
        session = 0;
        gap_ns = 0;
        if (meta.dex.found && hdr.ipv6.isValid()) {
            direct_exports.apply();
            bit<64> last;
            bit<64> now = meta.snapshot.timestamp_ns;
            last_ns.read(last, (bit<32>)standard_metadata.egress_port);
            if (!meta.ioam.is_enabled) {
                unexported.count(DEX_NOT_ENABLED);
            } else if (!is_known) {
                unexported.count(DEX_UNKNOWN_NAMESPACE);
            } else if (!meta.port.known) {
                unexported.count(DEX_NO_PORT_RECORD);
            } else if (last != 0 && now - last < gap_ns) {
                unexported.count(DEX_TOO_SOON);
            } else {
                last_ns.write((bit<32>)standard_metadata.egress_port, now);
                ask();
                measure();
                clone_preserving_field_list(CloneType.E2E, session, REPORT_FIELDS);
            }
        }
    }
}  /* dex_watch */

#endif  /* DEX_WATCH_P4 */
