#ifndef MODEL_TRAFFIC_MANAGER_P4
#define MODEL_TRAFFIC_MANAGER_P4

#include "hpcc_trim_headers.p4"
#include "common/config.p4"
#include "tofino/blocks/hpcc-trim/tofino_cut.p4"

/* Bytes that wait at a port, without headers, in the lengths of their arrival. */
register<bit<32>>(PORT_COUNT) waiting;

/*
 * A traffic manager whose queues are as long as their entries say: what may be cut and finds its
 * queue full is cut at once, as deflection and mirror do it, with room for telemetry behind the
 * queue. Everything else goes into its queue, full or not.
 */
control model_queue_arrival(inout headers_t hdr,
                            inout metadata_t meta,
                            inout standard_metadata_t standard_metadata) {
    tofino_cut() cut;
    bit<32> before;

    apply {
        bit<32> bytes = standard_metadata.packet_length;
        bit<32> port = (bit<32>)standard_metadata.egress_spec;
        waiting.read(before, port);
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE && before + bytes <= hdr.bridge.queue_bytes) {
            hdr.bridge.kind = 0;
        }
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE) {
            cut.apply(hdr);
            bit<16> room = hdr.int_shim.isValid() ? 16w0 + INT_HOP_BYTES : 0;
            truncate((bit<32>)(hdr.bridge.frame_bytes + room));
        }
        if (hdr.bridge.kind == BRIDGE_OF_TRIMMABLE || meta.trim.is_header) {
            standard_metadata.priority = meta.trim.queue;
        } else {
            waiting.write(port, before + bytes);
        }
    }
}  /* model_queue_arrival */

/* Nothing waits any more behind a packet that leaves its queue empty. */
control model_queue_departure(in headers_t hdr,
                              in metadata_t meta,
                              in standard_metadata_t standard_metadata) {
    bit<32> before;

    apply {
        if (hdr.bridge.kind != BRIDGE_OF_TRIMMABLE && !meta.trim.is_header) {
            bit<32> port = (bit<32>)standard_metadata.egress_port;
            waiting.read(before, port);
            bit<32> gone =
                standard_metadata.deq_qdepth == 0 ? before : meta.target.frame_bytes;
            waiting.write(port, before |-| gone);
        }
    }
}  /* model_queue_departure */

#endif  /* MODEL_TRAFFIC_MANAGER_P4 */
