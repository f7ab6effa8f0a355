#ifndef INT_V2_FORMAT_P4
#define INT_V2_FORMAT_P4

/*
 * Headers of INT v2.1 and of what carries it. No code point of these is assigned; a domain compiles
 * its own.
 */

/* UDP port of INT (INT_TBD), GRE protocol (TBD_INT), probe marker of the domain. */
#ifndef INT_UDP_PORT
#define INT_UDP_PORT 50000
#endif
#ifndef INT_GRE_PROTOCOL
#define INT_GRE_PROTOCOL 0x88B6
#endif
#ifndef INT_MARKER
#define INT_MARKER 0x494E542D6D61726B
#endif
/* Next protocol of VXLAN-GPE in INT v2.1; v2.0 has 0x80. */
#ifndef INT_VXLAN_PROTOCOL
#define INT_VXLAN_PROTOCOL 0x82
#endif
/* Class of the Geneve option in INT v2.1. */
#ifndef INT_GENEVE_CLASS
#define INT_GENEVE_CLASS 0x0103
#endif

const bit<16> VXLAN_PORT = 4789;
const bit<16> VXLAN_GPE_PORT = 4790;
const bit<16> GENEVE_PORT = 6081;
const bit<8> PROTOCOL_GRE = 47;
const bit<8> VXLAN_ETHERNET = 3;

/* Types of INT headers besides INT_TYPE_MD; Destination headers (2) have no format yet. */
const bit<4> INT_TYPE_MX = 3;

/* Carriers: they announce INT in a packet. The mask of a node's methods has the bit of each. */
const bit<8> CARRIER_NONE = 0;
const bit<8> CARRIER_DSCP = 1;
const bit<8> CARRIER_PORT = 2;
const bit<8> CARRIER_NEW_UDP = 3;
const bit<8> CARRIER_MARKER = 4;
const bit<8> CARRIER_GRE = 5;
const bit<8> CARRIER_VXLAN = 6;
const bit<8> CARRIER_GENEVE = 7;
/* A GRE header that the INT source itself adds; in a packet it is CARRIER_GRE with G. */
const bit<8> CARRIER_NEW_GRE = 8;

/* Next protocol types of the shim over TCP and UDP. */
const bit<2> NPT_ORIGINAL_PORT = 1;
const bit<2> NPT_ORIGINAL_PROTOCOL = 2;

const bit<16> MARKER_BYTES = 8;
const bit<16> GRE_BYTES = 4;
/* Shim and header of INT-MD or INT-MX. */
const bit<16> INT_HEADERS_BYTES = 16;

/* DS instructions of the domain "HP": bytes sent, capacity, queue length in 32 bits. */
#define HP_TX_BYTES 15:15
#define HP_CAPACITY 14:14
#define HP_QUEUE_BYTES 13:13
#define HP_UNDEFINED 12:0

/*
 * The shims of all carriers but Geneve, whose first halves are alike:
 *   TCP, UDP   | type 4 | NPT 2, r 2 | length 8 | original port, protocol or DSCP << 2 |
 *   GRE        | type 4 | G 1, r 3   | length 8 | EtherType |
 *   VXLAN-GPE  | type 4 | r 4        | length 8 | G 1, r 7, next protocol 8 |
 */
header shim_t {
    bit<4>  type;
    bit<4>  carrier_bits;
    bit<8>  length;
    bit<16> original;
}

header vxlan_t {
    bit<8>  flags;
    bit<16> reserved;
    bit<8>  next_protocol;
    bit<24> vni;
    bit<8>  reserved2;
}

header geneve_t {
    bit<2>  version;
    bit<6>  options_length;
    bit<8>  flags;
    bit<16> protocol;
    bit<24> vni;
    bit<8>  reserved;
}

header geneve_option_t {
    bit<16> option_class;
    bit<8>  type;
    bit<3>  reserved;
    bit<5>  length;
}

/* RFC 2784 and RFC 2890. */
header gre_t {
    bit<1>  has_checksum;
    bit<1>  has_routing;
    bit<1>  has_key;
    bit<1>  has_sequence;
    bit<9>  flags;
    bit<3>  version;
    bit<16> protocol;
}

header gre_checksum_t {
    bit<16> checksum;
    bit<16> offset;
}

header gre_words_t {
    varbit<64> words;
}

header marker_t {
    bit<64> value;
}

/* INT-MD header; of INT-MX, whose bits are reserved from e to remaining_hops. */
header int_header_t {
    bit<4>  version;
    bit<1>  d;
    bit<1>  e;
    bit<1>  m;
    bit<12> reserved;
    bit<5>  hop_words;
    bit<8>  remaining_hops;
    bit<16> instructions;
    bit<16> domain_id;
    bit<16> ds_instructions;
    bit<16> ds_flags;
}

/* One word or two of a block each, as the instructions ask. */
header word_t {
    bit<32> value;
}
header two_words_t {
    bit<64> value;
}

/* Words of all ones: what a node cannot tell. */
header ones1_t {
    bit<32> value;
}
header ones2_t {
    bit<64> value;
}
header ones4_t {
    bit<128> value;
}
header ones8_t {
    bit<256> value;
}
header ones16_t {
    bit<512> value;
}

#endif  /* INT_V2_FORMAT_P4 */
