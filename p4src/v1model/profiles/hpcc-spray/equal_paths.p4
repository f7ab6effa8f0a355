#ifndef EQUAL_PATHS_P4
#define EQUAL_PATHS_P4

#include "common/types.p4"

/* Policies by which a switch chooses among the equal paths of a packet. */
const bit<2> SPRAY_BY_HASH = 0;
const bit<2> SPRAY_AT_RANDOM = 1;
const bit<2> SPRAY_BY_TURN = 2;
const bit<2> SPRAY_BY_QUEUE = 3;

/* Written by path_lookup.p4: the ports of the shortest paths; `count` of them are in use. */
struct equal_paths_t {
    bit<16> group;
    bit<4>  count;
    bit<3>  first;
    port_t  port_0;
    port_t  port_1;
    port_t  port_2;
    port_t  port_3;
    port_t  port_4;
    port_t  port_5;
    port_t  port_6;
    port_t  port_7;
}

#endif  /* EQUAL_PATHS_P4 */
