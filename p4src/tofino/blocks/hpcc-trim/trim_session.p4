#ifndef TOFINO_TRIM_SESSION_P4
#define TOFINO_TRIM_SESSION_P4

#include "trim_metadata.p4"

/*
 * The session of the mirror that cuts at the length of a packet, for its port and into the queue of
 * headers. Without one the packet is dropped where its queue is full, as others are; a target may
 * have one for all (`WITHOUT_SESSION`).
 */
control mirror_session(inout headers_t hdr, in metadata_t meta, in port_t egress_port) {
    action cut_when_full(mirror_session_t session) {
        hdr.bridge.kind = BRIDGE_OF_TRIMMABLE;
        hdr.bridge.session = (bit<16>)session;
        hdr.bridge.frame_bytes = meta.trim.frame_bytes;
        hdr.bridge.queue_bytes = meta.trim.queue_bytes;
        hdr.bridge.dscp = meta.trim.trimmed_dscp;
    }

    action drop_when_full() {
    }

    table trim_session {
        key = {
            egress_port           : exact @name("port");
            meta.trim.frame_bytes : exact @name("frame_bytes");
        }
        actions = { cut_when_full; drop_when_full; }
        const default_action = WITHOUT_SESSION;
        size = 1024;
    }

    apply {
        trim_session.apply();
    }
}  /* mirror_session */

#endif  /* TOFINO_TRIM_SESSION_P4 */
