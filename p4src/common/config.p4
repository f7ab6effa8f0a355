/*
 * Every width, size, code point and limit of the program. A profile may define any of them first.
 */
#ifndef CONFIG_P4
#define CONFIG_P4

/* DSCP that marks packets carrying INT (no value is assigned; one per INT domain). */
#ifndef INT_DSCP
#define INT_DSCP 0x17
#endif

/* INT domain "HP": the instruction set that this program can serve, and the words it pushes. */
#ifndef INT_DOMAIN_ID
#define INT_DOMAIN_ID 0x4850
#endif
#ifndef INT_INSTRUCTIONS
#define INT_INSTRUCTIONS 0xD400
#endif
#ifndef INT_DS_INSTRUCTIONS
#define INT_DS_INSTRUCTIONS 0xC000
#endif
#ifndef INT_HOP_WORDS
#define INT_HOP_WORDS 8
#endif
#ifndef INT_HOP_BYTES
#define INT_HOP_BYTES 32
#endif

/*
 * Subscription of a packet to fast feedback: by a flag of the domain "HP", or without telemetry by
 * DSCP (neither is assigned).
 */
#ifndef FEEDBACK_DS_FLAG
#define FEEDBACK_DS_FLAG 0x2000
#endif
#ifndef FEEDBACK_DSCP
#define FEEDBACK_DSCP 0x1B
#endif
/* Cells of each half of the Bloom filter that limits responses. */
#ifndef BLOOM_CELLS
#define BLOOM_CELLS 4096
#endif

#ifndef ROUTE_TABLE_SIZE
#define ROUTE_TABLE_SIZE 16384
#endif
#ifndef WATCH_TABLE_SIZE
#define WATCH_TABLE_SIZE 1024
#endif
#ifndef ECMP_MEMBER_COUNT
#define ECMP_MEMBER_COUNT 4096
#endif
#ifndef ECMP_HASH_WIDTH
#define ECMP_HASH_WIDTH 16
#endif
/* Protocol of a flow in ECMP's hash, for profiles whose telemetry stands in its place. */
#ifndef ECMP_IPV4_PROTOCOL
#define ECMP_IPV4_PROTOCOL hdr.ipv4.protocol
#endif
#ifndef ECMP_IPV6_PROTOCOL
#define ECMP_IPV6_PROTOCOL hdr.ipv6.next_header
#endif

/* Bits that the counter of bytes sent does not have; telemetry has ones there (wire-formats.md). */
#ifndef TX_BYTES_ABSENT
#define TX_BYTES_ABSENT 0
#endif

/* Egress ports are 9 bits wide in v1model. */
#ifndef PORT_COUNT
#define PORT_COUNT 512
#endif

#endif  /* CONFIG_P4 */
