#ifndef TOFINO_OLDER_BLOCKS_P4
#define TOFINO_OLDER_BLOCKS_P4

/* Blocks of earlier hops, before the sequence number: how many there are in binary. */
header one_block_t {
    bit<128> first;
    bit<128> second;
}

header two_blocks_t {
    bit<128> first;
    bit<128> second;
    bit<128> third;
    bit<128> fourth;
}

header four_blocks_t {
    bit<128> first;
    bit<128> second;
    bit<128> third;
    bit<128> fourth;
    bit<128> fifth;
    bit<128> sixth;
    bit<128> seventh;
    bit<128> eighth;
}

#endif  /* TOFINO_OLDER_BLOCKS_P4 */
