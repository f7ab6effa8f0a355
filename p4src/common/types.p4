#ifndef TYPES_P4
#define TYPES_P4

typedef bit<48> mac_t;
typedef bit<32> ipv4_addr_t;
typedef bit<128> ipv6_addr_t;
typedef bit<9> port_t;

const bit<16> ETHERTYPE_IPV4 = 0x0800;
const bit<16> ETHERTYPE_IPV6 = 0x86DD;
const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;
/* Reserved by IANA: nothing that could be read. */
const bit<8> PROTOCOL_NONE = 255;

const bit<4> INT_TYPE_MD = 1;
const bit<2> INT_NPT_NONE = 0;
const bit<4> INT_VERSION = 2;
const bit<8> INT_MD_WORDS = 3;

const bit<16> ETHERNET_BYTES = 14;
const bit<16> IPV4_BYTES = 20;
const bit<16> IPV6_BYTES = 40;
const bit<16> UDP_BYTES = 8;
const bit<16> INT_SHIM_BYTES = 4;

/* Why ingress dropped a packet: index into the counter `ingress.drops`. */
const bit<32> DROP_NOT_IP = 0;
const bit<32> DROP_BAD_IPV4 = 1;
const bit<32> DROP_TTL_EXPIRED = 2;
const bit<32> DROP_NO_ROUTE = 3;
const bit<32> DROP_BAD_IPV6 = 4;
const bit<32> DROP_CAUSES = 5;
/* No reason of a profile against a packet. */
const bit<32> NOT_REFUSED = 0xFFFFFFFF;

/* Why egress left an INT packet without a hop: index into `egress.admission.unserved`. */
const bit<32> UNSERVED_HOP_LIMIT = 0;
const bit<32> UNSERVED_MTU = 1;
const bit<32> UNSERVED_UNKNOWN_INSTRUCTIONS = 2;
const bit<32> UNSERVED_NO_PORT_RECORD = 3;
const bit<32> UNSERVED_UNKNOWN_VERSION = 4;
const bit<32> UNSERVED_BAD_LENGTH = 5;
const bit<32> UNSERVED_CAUSES = 6;

#endif  /* TYPES_P4 */
