#ifndef IOAM_CONFIG_P4
#define IOAM_CONFIG_P4

#ifndef IOAM_NAMESPACE_COUNT
#define IOAM_NAMESPACE_COUNT 64
#endif

#ifndef IOAM_WATCH_COUNT
#define IOAM_WATCH_COUNT 1024
#endif

/* What an encapsulating node allocates: room for six nodes with the data that HPCC++ needs. */
#define IOAM_SOURCE_TRACE_TYPE 0xD20800
#define IOAM_SOURCE_NODE_WORDS 5
#define IOAM_SOURCE_SPARE_WORDS 25
#define IOAM_SOURCE_SPARE_BITS 800
#define IOAM_SOURCE_OPTION_BYTES 130
/* The hop-by-hop header has 17 units of 8 bytes, the outer IPv6 header 40 bytes. */
#define IOAM_SOURCE_UNITS 16
#define IOAM_SOURCE_HEADER_BYTES 136
#define IOAM_SOURCE_BYTES 176

/* Options that may stand before the trace: padding, above all. */
#define IOAM_LEADING_OPTIONS 4

/* An option with its type and length, one byte more than its longest data. */
#define IOAM_OPTION_BITS 2056
/* RemainingLen has 7 bits of words; a node's data has 31 words and the opaque snapshot's one. */
#define IOAM_SPARE_BITS 4064
#define IOAM_SLOT_BITS 1024
/* A hop-by-hop header has at most 2048 bytes. */
#define IOAM_REST_BITS 16384

#endif  /* IOAM_CONFIG_P4 */
