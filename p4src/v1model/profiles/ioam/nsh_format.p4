#ifndef NSH_FORMAT_P4
#define NSH_FORMAT_P4

/* Headers of IOAM before the incremental trace. */
#define NSH_LEADING_OPTIONS 4
/* The length of NSH has six bits of words, of which two are no context; that of IOAM has eight. */
#define NSH_CONTEXT_BITS 1952
#define NSH_OPTION_BITS 8128

const bit<16> ETHERTYPE_NSH = 0x894F;
/* RFC 8300 section 2.2. */
const bit<8> NSH_NEXT_IPV4 = 1;
const bit<8> NSH_NEXT_IPV6 = 2;
/* RFC 9452 section 5. */
const bit<8> NSH_NEXT_IOAM = 6;
const bit<6> NSH_FIXED_WORDS = 2;
/* Metadata of a variable length, of which there may be none. */
const bit<4> NSH_MD_TYPE_2 = 2;
const bit<6> NSH_FIRST_TTL = 63;
/* IOAM behind NSH: the head, and the header of a trace. */
const bit<8> NSH_TRACE_WORDS = 3;
/* NSH, the head of IOAM and the header of a trace, which a classifier adds. */
const bit<16> NSH_ENTRY_BYTES = 20;
const bit<8> IOAM_INCREMENTAL_TRACE = 1;

/* RFC 8300 section 2. */
header nsh_t {
    bit<2>  version;
    bit<1>  oam;
    bit<1>  reserved;
    bit<6>  ttl;
    /* Words of NSH with its context headers, without what lies behind, such as IOAM. */
    bit<6>  length;
    bit<4>  unassigned;
    bit<4>  md_type;
    bit<8>  next_protocol;
    bit<24> path_id;
    bit<8>  service_index;
}

header nsh_context_t {
    varbit<NSH_CONTEXT_BITS> words;
}

/* RFC 9452 section 3; the length counts words with this one. */
header nsh_ioam_t {
    bit<8> ioam_type;
    bit<8> length;
    bit<8> reserved;
    bit<8> next_protocol;
}

/* Another option of IOAM, which passes as it came. */
header nsh_option_t {
    bit<8>                  ioam_type;
    bit<8>                  length;
    bit<8>                  reserved;
    bit<8>                  next_protocol;
    varbit<NSH_OPTION_BITS> words;
}

#endif  /* NSH_FORMAT_P4 */
