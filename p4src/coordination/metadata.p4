#ifndef COORDINATION_METADATA_P4
#define COORDINATION_METADATA_P4

#include "types.p4"

/* Number of the field list that a clone for a notification keeps. */
#define NOTIFICATION_FIELDS 1

/* Written by blocks/coordination_tag.p4. */
struct tag_metadata_t {
    bool    takes_part;
    bit<1>  cc;
    bit<1>  ar_valid;
    bit<32> ar_id;
}

/* Written by blocks/flow_identity.p4: two hashes of the 5-tuple. */
struct flow_metadata_t {
    bit<32> hash;
    bit<16> digest;
}

/* Written by blocks/path_coordination.p4 and by the blocks that it consists of. */
struct paths_metadata_t {
    bit<2>  mode;
    bit<64> now_ns;
    /* Ways to the destination. */
    port_t  port_0;
    port_t  port_1;
    port_t  port_2;
    port_t  port_3;
    port_t  port_4;
    port_t  port_5;
    port_t  port_6;
    port_t  port_7;
    bit<4>  shortest;
    /* How many of them are light, and the least loaded of those that are not to be avoided. */
    bit<8>  lights;
    port_t  best_port;
    /* Whether the ways of the pin and of ECMP are among them, and light. */
    bool    pin_is_way;
    bool    pin_is_light;
    bool    ecmp_is_way;
    bool    ecmp_is_light;
    /* Loads are counted in windows of 2^window_shift ns; 0: not at all. */
    bit<8>  window_shift;
    bit<8>  window;
    bit<28> best_load;
    bit<28> pin_load;
}

/* Written by blocks/path_pin.p4: what is known of the flow's way. */
struct pin_metadata_t {
    bool    is_own;
    /* The cell belongs to another flow, which is alive. */
    bool    is_foreign;
    port_t  port;
    bit<1>  move;
    bit<64> gap_ns;
}

/* Written by blocks/port_congestion.p4. */
struct congestion_metadata_t {
    bool    congested;
    bool    to_host;
    /* Since the port was congested last. */
    bit<64> calm_ns;
}

/* State of blocks/sip_hash.p4, in the names of its authors. */
struct sip_state_t {
    bit<64> v0;
    bit<64> v1;
    bit<64> v2;
    bit<64> v3;
}

/* What a clone must know to become a notification. */
struct notice_metadata_t {
    bit<4>  type;
    bit<32> ar_id;
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> queue_bytes;
    bit<32> time_ns;
}

#endif  /* COORDINATION_METADATA_P4 */
