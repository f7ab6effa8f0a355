#ifndef TOFINO_PACKET_TRIM_P4
#define TOFINO_PACKET_TRIM_P4

#include "common/config.p4"
#include "common/headers.p4"
#include "common/metadata.p4"
#include "trim_metadata.p4"
#include "trim_session.p4"

/*
 * Decides which packets are cut where their queue is full, behind trim_limits.p4, with a table of
 * packet_trim.p4, for targets whose traffic manager knows which queue is full. The bridge tells
 * egress.
 */
control tofino_packet_trim(inout headers_t hdr, inout metadata_t meta, in port_t ingress_port,
                           in port_t egress_port) {
    mirror_session() mirror;

    action bridge() {
        hdr.bridge.setValid();
        hdr.bridge.kind = 0;
        hdr.bridge.ingress_port = ingress_port;
        hdr.bridge.session = 0;
        hdr.bridge.frame_bytes = 0;
        hdr.bridge.queue_bytes = 0;
        hdr.bridge.dscp = 0;
        hdr.bridge.reserved = 0;
    }

    action set_queue_max(bit<32> queue_bytes) {
        meta.trim.queue_bytes = queue_bytes;
    }

    action keep_queue_max() {
    }

    /* Ports whose queue is longer or shorter than that of others. */
    table queue_max_of_port {
        key = { egress_port : exact @name("port"); }
        actions = { set_queue_max; keep_queue_max; }
        const default_action = keep_queue_max;
        size = PORT_COUNT;
    }

    apply {
        bridge();
        queue_max_of_port.apply();
        if (meta.trim.is_trimmable && hdr.udp.isValid() && meta.trim.excess != 0) {
            mirror.apply(hdr, meta, egress_port);
        }
    }
}  /* tofino_packet_trim */

#endif  /* TOFINO_PACKET_TRIM_P4 */
