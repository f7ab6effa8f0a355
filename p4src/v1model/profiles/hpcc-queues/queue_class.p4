#ifndef QUEUE_CLASS_P4
#define QUEUE_CLASS_P4

#include "common/ids.p4"
#include "queue_headers.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/*
 * Which of the port's queues a packet takes: by DSCP, and where INT has taken its place, by the
 * DSCP that the INT source kept in the shim. Telemetry so waits where its flow waits. Probes need
 * the original DSCP of the flow in their shim.
 */
control queue_class(in headers_t hdr, inout standard_metadata_t standard_metadata) {
    bit<6> dscp;

    @id(SET_CLASS_ACTION_ID)
    action set_class(bit<3> queue) {
        standard_metadata.priority = queue;
    }

    @id(CLASS_OF_DSCP_TABLE_ID)
    table class_of_dscp {
        key = { dscp : exact @name("dscp"); }
        actions = { set_class; }
        default_action = set_class(0);
        size = 64;
    }

    apply {
        if (hdr.int_shim.isValid()) {
            dscp = hdr.int_shim.original_dscp;
        } else if (hdr.ipv4.isValid()) {
            dscp = hdr.ipv4.dscp;
        } else {
            dscp = hdr.ipv6.dscp;
        }
        class_of_dscp.apply();
    }
}  /* queue_class */

#endif  /* QUEUE_CLASS_P4 */
