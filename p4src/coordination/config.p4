#ifndef COORDINATION_CONFIG_P4
#define COORDINATION_CONFIG_P4

/* Cells of the pins of flows to paths, a power of two, and the bits that number them. */
#ifndef PIN_CELLS
#define PIN_CELLS 8192
#endif
#ifndef PIN_BITS
#define PIN_BITS 13
#endif
/* Cells of each half of the filters that limit notifications, and the bits that number them. */
#ifndef LIMITER_CELLS
#define LIMITER_CELLS 4096
#endif
#ifndef LIMITER_BITS
#define LIMITER_BITS 12
#endif
/* Senders of notifications that a switch believes. */
#ifndef PEER_COUNT
#define PEER_COUNT 8192
#endif
#ifndef CANDIDATE_TABLE_SIZE
#define CANDIDATE_TABLE_SIZE 16384
#endif

#endif  /* COORDINATION_CONFIG_P4 */
