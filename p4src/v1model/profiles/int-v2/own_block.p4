#ifndef OWN_BLOCK_P4
#define OWN_BLOCK_P4

#include "common/config.p4"
#include "int_v2_metadata.p4"

/* Sum of the 16-bit words of a value. */
bit<32> sum_of_word(in bit<32> word) {
    return (bit<32>)word[31:16] + (bit<32>)word[15:0];
}

bit<32> sum_of_words(in bit<64> words) {
    return (bit<32>)words[63:48] + (bit<32>)words[47:32] +
           (bit<32>)words[31:16] + (bit<32>)words[15:0];
}

/* The part of a block that the first four instructions ask for. */
control own_block_begin(inout headers_t hdr, in metadata_t meta, inout bit<32> sum,
                        in bit<16> asked, in standard_metadata_t standard_metadata) {
    action add_node_id() {
        hdr.own_node_id.setValid();
        hdr.own_node_id.value = meta.port.node_id;
        sum = sum + sum_of_word(hdr.own_node_id.value);
    }

    action add_interfaces() {
        hdr.own_interfaces.setValid();
        hdr.own_interfaces.value = (bit<16>)standard_metadata.ingress_port ++
                                   (bit<16>)standard_metadata.egress_port;
        sum = sum + sum_of_word(hdr.own_interfaces.value);
    }

    action add_latency() {
        hdr.own_latency.setValid();
        hdr.own_latency.value = meta.node.latency_ns;
        sum = sum + sum_of_word(hdr.own_latency.value);
    }

    action add_queue() {
        hdr.own_queue.setValid();
        hdr.own_queue.value = (bit<8>)standard_metadata.priority ++ meta.node.queue_bytes24;
        sum = sum + sum_of_word(hdr.own_queue.value);
    }

    apply {
        if (asked[15:15] == 1) {
            add_node_id();
        }
        if (asked[14:14] == 1) {
            add_interfaces();
        }
        if (asked[13:13] == 1) {
            add_latency();
        }
        if (asked[12:12] == 1) {
            add_queue();
        }
    }
}  /* own_block_begin */

/* The part of a block that the instructions 4 to 8 ask for. */
control own_block_end(inout headers_t hdr, in metadata_t meta, inout bit<32> sum,
                      in bit<16> asked) {
    action add_ingress_time() {
        hdr.own_ingress_time.setValid();
        hdr.own_ingress_time.value = meta.node.ingress_time;
        sum = sum + sum_of_words(hdr.own_ingress_time.value);
    }

    action add_egress_time() {
        hdr.own_egress_time.setValid();
        hdr.own_egress_time.value = meta.node.egress_time;
        sum = sum + sum_of_words(hdr.own_egress_time.value);
    }

    action add_interfaces2() {
        hdr.own_interfaces2.setValid();
        hdr.own_interfaces2.value = meta.node.ingress_interface2 ++ meta.node.egress_interface2;
        sum = sum + sum_of_words(hdr.own_interfaces2.value);
    }

    action add_utilization() {
        hdr.own_utilization.setValid();
        hdr.own_utilization.value = meta.node.utilization;
        sum = sum + sum_of_word(hdr.own_utilization.value);
    }

    action add_buffer() {
        hdr.own_buffer.setValid();
        hdr.own_buffer.value = meta.node.buffer;
        sum = sum + sum_of_word(hdr.own_buffer.value);
    }

    apply {
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
    }
}  /* own_block_end */

/* The words of the domain "HP" that its DS instructions ask for. */
control own_domain_words(inout headers_t hdr, in metadata_t meta, inout bit<32> sum,
                         in bit<16> ds) {
    action add_tx_bytes() {
        hdr.own_tx_bytes.setValid();
        hdr.own_tx_bytes.value = meta.node.tx_bytes;
        sum = sum + sum_of_words(hdr.own_tx_bytes.value);
    }

    action add_capacity() {
        hdr.own_capacity.setValid();
        hdr.own_capacity.value = meta.port.capacity_mbps;
        sum = sum + sum_of_word(hdr.own_capacity.value);
    }

    action add_queue_bytes() {
        hdr.own_queue_bytes.setValid();
        hdr.own_queue_bytes.value = meta.node.queue_bytes;
        sum = sum + sum_of_word(hdr.own_queue_bytes.value);
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
}  /* own_domain_words */

/* Up to 31 words of all ones, which add nothing to an Internet checksum. */
control own_ones(inout headers_t hdr, in bit<8> count) {
    action add1() {
        hdr.own_ones1.setValid();
        hdr.own_ones1.value = ~32w0;
    }

    action add2() {
        hdr.own_ones2.setValid();
        hdr.own_ones2.value = ~64w0;
    }

    action add4() {
        hdr.own_ones4.setValid();
        hdr.own_ones4.value = ~128w0;
    }

    action add8() {
        hdr.own_ones8.setValid();
        hdr.own_ones8.value = ~256w0;
    }

    action add16() {
        hdr.own_ones16.setValid();
        hdr.own_ones16.value = ~512w0;
    }

    apply {
        if (count[0:0] == 1) {
            add1();
        }
        if (count[1:1] == 1) {
            add2();
        }
        if (count[2:2] == 1) {
            add4();
        }
        if (count[3:3] == 1) {
            add8();
        }
        if (count[4:4] == 1) {
            add16();
        }
    }
}  /* own_ones */

#endif  /* OWN_BLOCK_P4 */
