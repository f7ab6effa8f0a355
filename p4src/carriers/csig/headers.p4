#ifndef CSIG_HEADERS_P4
#define CSIG_HEADERS_P4

#include "config.p4"
#include "../../headers.p4"

const bit<3> CSIG_MIN_BANDWIDTH = 0;
const bit<3> CSIG_MIN_RELATIVE_BANDWIDTH = 1;
const bit<3> CSIG_MAX_DELAY = 2;

/*
 * CSIG compact tag (draft-ravi-ippm-csig), placed like a VLAN tag: the EtherType before it is
 * CSIG_TPID. `value` is a bucket, `locator` tells where the signal comes from.
 */
header csig_t {
    bit<3>  signal;
    bit<1>  reserved;
    bit<5>  value;
    bit<7>  locator;
    bit<16> ether_type;
}

#endif  /* CSIG_HEADERS_P4 */
