#ifndef QUEUES_CONFIG_P4
#define QUEUES_CONFIG_P4

/* The wide set of instructions of the domain "HP". */
#ifndef INT_WIDE_INSTRUCTIONS
#define INT_WIDE_INSTRUCTIONS 0xF400
#endif
#ifndef INT_WIDE_DS_INSTRUCTIONS
#define INT_WIDE_DS_INSTRUCTIONS 0xE000
#endif
#ifndef INT_WIDE_HOP_WORDS
#define INT_WIDE_HOP_WORDS 10
#endif

/* v1model has 3 bits of priority; bmv2 needs --priority-queues 8 to have as many queues. */
#ifndef QUEUE_BITS
#define QUEUE_BITS 3
#endif
#ifndef QUEUE_COUNT
#define QUEUE_COUNT 4096
#endif

#endif  /* QUEUES_CONFIG_P4 */
