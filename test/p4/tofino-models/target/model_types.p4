#ifndef MODEL_TYPES_P4
#define MODEL_TYPES_P4

/* Nothing stands before a packet, and options of TCP are read. */
#define FRONT_HEADERS
#ifndef OPTION_HEADERS
#define OPTION_HEADERS tcp_options_t tcp_options;
#endif

struct target_metadata_t {
    /* From Ethernet on, as the packet came. */
    bit<32> frame_bytes;
    /* The first word of the INT-MD header, as it came to egress. */
    bit<16> flags_before;
}

#endif  /* MODEL_TYPES_P4 */
