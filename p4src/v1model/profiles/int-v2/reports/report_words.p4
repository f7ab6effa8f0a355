#ifndef REPORT_WORDS_P4
#define REPORT_WORDS_P4

#include "../int_v2_metadata.p4"

/*
 * The metadata of a report, from `meta.node` as it was when the packet left; `asked` has the bits
 * that this node can answer. Counts their words.
 */
control report_words(inout headers_t hdr, in metadata_t meta, in bit<16> asked, out bit<8> words) {
    action add_interfaces() {
        hdr.reported_interfaces.setValid();
        hdr.reported_interfaces.value = meta.node.ingress_port ++ meta.node.egress_port;
        words = words + 1;
    }

    action add_latency() {
        hdr.reported_latency.setValid();
        hdr.reported_latency.value = meta.node.latency_ns;
        words = words + 1;
    }

    action add_queue() {
        hdr.reported_queue.setValid();
        hdr.reported_queue.value = meta.node.queue_id ++ meta.node.queue_bytes24;
        words = words + 1;
    }

    action add_ingress_time() {
        hdr.reported_ingress_time.setValid();
        hdr.reported_ingress_time.value = meta.node.ingress_time;
        words = words + 2;
    }

    action add_egress_time() {
        hdr.reported_egress_time.setValid();
        hdr.reported_egress_time.value = meta.node.egress_time;
        words = words + 2;
    }

    action add_interfaces2() {
        hdr.reported_interfaces2.setValid();
        hdr.reported_interfaces2.value = meta.node.ingress_interface2 ++
                                         meta.node.egress_interface2;
        words = words + 2;
    }

    action add_utilization() {
        hdr.reported_utilization.setValid();
        hdr.reported_utilization.value = meta.node.utilization;
        words = words + 1;
    }

    action add_buffer() {
        hdr.reported_buffer.setValid();
        hdr.reported_buffer.value = meta.node.buffer;
        words = words + 1;
    }

    /* No queue has taken the packet. */
    action add_drop() {
        hdr.reported_drop.setValid();
        hdr.reported_drop = { 0xFF, meta.report.drop_reason, 0 };
        words = words + 1;
    }

    apply {
        words = 0;
        if (asked[14:14] == 1) {
            add_interfaces();
        }
        if (asked[13:13] == 1) {
            add_latency();
        }
        if (asked[12:12] == 1) {
            add_queue();
        }
        if (asked[11:11] == 1) {
            add_ingress_time();
        }
        if (asked[10:10] == 1) {
            add_egress_time();
        }
        if (asked[9:9] == 1) {
            add_interfaces2();
        }
        if (asked[8:8] == 1) {
            add_utilization();
        }
        if (asked[7:7] == 1) {
            add_buffer();
        }
        if (asked[0:0] == 1) {
            add_drop();
        }
    }
}  /* report_words */

/* The words of the domain "HP" in a report. */
control report_domain_words(inout headers_t hdr, in metadata_t meta, in bit<16> ds,
                            inout bit<8> words) {
    action add_tx_bytes() {
        hdr.reported_tx_bytes.setValid();
        hdr.reported_tx_bytes.value = meta.node.tx_bytes;
        words = words + 2;
    }

    action add_capacity() {
        hdr.reported_capacity.setValid();
        hdr.reported_capacity.value = meta.port.capacity_mbps;
        words = words + 1;
    }

    action add_queue_bytes() {
        hdr.reported_queue_bytes.setValid();
        hdr.reported_queue_bytes.value = meta.node.queue_bytes;
        words = words + 1;
    }

    apply {
        if (ds[HP_TX_BYTES] == 1) {
            add_tx_bytes();
        }
        if (ds[HP_CAPACITY] == 1) {
            add_capacity();
        }
        if (ds[HP_QUEUE_BYTES] == 1) {
            add_queue_bytes();
        }
    }
}  /* report_domain_words */

#endif  /* REPORT_WORDS_P4 */
