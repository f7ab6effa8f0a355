#ifndef QUEUES_LENGTHS_P4
#define QUEUES_LENGTHS_P4

#include "config.p4"

/*
 * Bytes that wait, in the lengths of their arrival, by port and queue and by port. Ingress adds and
 * egress subtracts, so these registers belong to no control.
 */
register<bit<32>>(QUEUE_COUNT) waiting_in_queue;
register<bit<32>>(PORT_COUNT) waiting_at_port;

#endif  /* QUEUES_LENGTHS_P4 */
