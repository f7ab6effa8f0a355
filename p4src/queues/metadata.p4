#ifndef QUEUES_METADATA_P4
#define QUEUES_METADATA_P4

struct queue_metadata_t {
    /* Written by blocks/queue_arrival.p4: what the packet adds to its queue. */
    bit<32> arrived_bytes;
    /* Written by blocks/queue_departure.p4: what it leaves behind, and how long it waited. */
    bit<32> own_bytes;
    bit<32> port_bytes;
    bit<32> sojourn_ns;
    /* Written by blocks/int_wide_admission.p4. */
    bool    push_wide;
}

#endif  /* QUEUES_METADATA_P4 */
