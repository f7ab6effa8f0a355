#ifndef NSH_FORWARDER_P4
#define NSH_FORWARDER_P4

#include "nsh_ids.p4"
#include "ioam_headers.p4"

/* Why a packet with NSH was dropped: index of `ingress.paths.drops`. */
const bit<32> NSH_DROP_MALFORMED = 0;
const bit<32> NSH_DROP_TTL_EXPIRED = 1;
const bit<32> NSH_DROP_NO_PATH = 2;
const bit<32> NSH_DROP_CAUSES = 3;

/*
 * The service function forwarder (RFC 8300): takes one from the TTL, of which 0 becomes 63 (section
 * 2.2), and sends the packet to the next hop of its service path. The service index is the matter
 * of service functions.
 */
control nsh_forwarder(inout headers_t hdr,
                      inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    counter(NSH_DROP_CAUSES, CounterType.packets_and_bytes) drops;
    bool is_known;

    @id(FORWARD_ON_PATH_ACTION_ID)
    action forward_on_path(port_t port, mac_t dst_mac, mac_t src_mac) {
        is_known = true;
        standard_metadata.egress_spec = port;
        hdr.ethernet.dst_addr = dst_mac;
        hdr.ethernet.src_addr = src_mac;
    }

    /* The next hop takes no NSH; of packets with a trace there is a report. */
    @id(END_PATH_ACTION_ID)
    action end_path(port_t port, mac_t dst_mac, mac_t src_mac, bit<32> clone_session) {
        forward_on_path(port, dst_mac, src_mac);
        meta.nsh.ends = true;
        meta.nsh.session = clone_session;
    }

    @id(NO_PATH_ACTION_ID)
    action no_path() {
        is_known = false;
    }

    @id(SERVICE_PATHS_TABLE_ID)
    table service_paths {
        key = {
            hdr.nsh.path_id       : exact @name("path_id");
            hdr.nsh.service_index : exact @name("service_index");
        }
        actions = { forward_on_path; end_path; no_path; }
        const default_action = no_path;
        size = SERVICE_PATH_COUNT;
    }

    apply {
        is_known = false;
        bit<32> cause = NSH_DROP_MALFORMED;
        /* Context that is announced and not there was not parsed. */
        if (hdr.nsh.version == 0 && (hdr.nsh_context.isValid() || meta.ioam.is_source)) {
            hdr.nsh.ttl = hdr.nsh.ttl - 1;
            cause = NSH_DROP_TTL_EXPIRED;
            if (hdr.nsh.ttl != 0) {
                cause = NSH_DROP_NO_PATH;
                service_paths.apply();
            }
        }
        if (!is_known) {
            drops.count(cause);
            mark_to_drop(standard_metadata);
        }
    }
}  /* nsh_forwarder */

#endif  /* NSH_FORWARDER_P4 */
