#ifndef QUEUES_HEADERS_P4
#define QUEUES_HEADERS_P4

/*
 * The wide block of the INT domain "HP", for ports with several queues: hop latency (instruction
 * bit 2) tells how long the packet waited in its own queue, port_bytes (DS bit 2) how much waits in
 * all queues of the port.
 */
header int_wide_hop_t {
    bit<32> node_id;
    bit<16> ingress_port;
    bit<16> egress_port;
    bit<32> sojourn_ns;
    bit<8>  queue_id;
    bit<24> queue_bytes;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
    bit<32> port_bytes;
}

#endif  /* QUEUES_HEADERS_P4 */
