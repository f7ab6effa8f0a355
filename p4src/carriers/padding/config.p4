#ifndef PADDING_CONFIG_P4
#define PADDING_CONFIG_P4

/* DSCP that marks packets with the padding: the format has no mark of its own. */
#ifndef PADDING_DSCP
#define PADDING_DSCP 0x17
#endif

/* The hop count has four bits. */
#define PADDING_MAX_HOPS 15
#define PADDING_HOP_BYTES 8
#define PADDING_HOP_BITS 64
#define PADDING_MAX_RECORD_BITS 960

#endif  /* PADDING_CONFIG_P4 */
