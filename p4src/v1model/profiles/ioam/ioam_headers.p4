#ifndef IOAM_HEADERS_P4
#define IOAM_HEADERS_P4

#include "common/headers.p4"
#include "common/metadata.p4"
#include "common/edge_types.p4"
#include "nsh_format.p4"

#ifndef IOAM_NAMESPACE_COUNT
#define IOAM_NAMESPACE_COUNT 64
#endif

#ifndef IOAM_WATCH_COUNT
#define IOAM_WATCH_COUNT 1024
#endif

#ifndef SERVICE_PATH_COUNT
#define SERVICE_PATH_COUNT 1024
#endif

/* Room that an encapsulating node allocates: six nodes with the data that HPCC++ needs. */
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

const bit<8> IPV6_HOP_BY_HOP = 0;
const bit<8> PROTOCOL_IPV6 = 41;
const bit<8> IPV6_PAD1 = 0;
const bit<8> IPV6_PADN = 1;
/* Skipped by nodes that do not know it; changes on the way (RFC 9486). */
const bit<8> IPV6_IOAM_MUTABLE = 0x31;
const bit<8> IOAM_PREALLOCATED_TRACE = 0;
/* Does not change on the way. */
const bit<8> IPV6_IOAM = 0x11;
const bit<8> IOAM_DIRECT_EXPORT = 4;
/* Data of the least Direct Export option: reserved byte, IOAM type, and its header. */
const bit<8> IOAM_DEX_BYTES = 10;

/* Why a packet with the Direct Export option was not exported: index of `egress.dex.unexported`. */
const bit<32> DEX_NOT_ENABLED = 0;
const bit<32> DEX_UNKNOWN_NAMESPACE = 1;
const bit<32> DEX_NO_PORT_RECORD = 2;
const bit<32> DEX_TOO_SOON = 3;
const bit<32> DEX_CAUSES = 4;

/* Number of the field list that a clone for a report keeps. */
#define REPORT_FIELDS 1
/* Reserved byte, IOAM type and trace header: the least that the option's length covers. */
const bit<8> IOAM_TRACE_FIXED_BYTES = 10;

/*
 * IPv6 | hop-by-hop header | other options | IOAM option | trace header | spare | slot | newer
 * records ... The trace is allocated in advance: nodes fill it from its end, each the words before
 * those that are used, and `remaining` counts the words left (RFC 9197 section 4.4, RFC 9486).
 */
header hop_by_hop_t {
    bit<8> next_header;
    /* Units of 8 bytes behind the first one. */
    bit<8> length;
}

header ipv6_option_t {
    varbit<IOAM_OPTION_BITS> bytes;
}

header ioam_option_t {
    bit<8> type;
    bit<8> length;
    bit<8> reserved;
    bit<8> ioam_type;
}

/* RFC 9197 section 4.4.1; lengths in words of 4 bytes, `node_words` without the opaque snapshot. */
header ioam_trace_t {
    bit<16> namespace_id;
    bit<5>  node_words;
    bit<1>  overflow;
    bit<1>  loopback;
    bit<1>  active;
    bit<1>  reserved;
    bit<7>  remaining;
    bit<24> trace_type;
    bit<8>  reserved2;
}

header ioam_spare_t {
    varbit<IOAM_SPARE_BITS> words;
}

/* The words that this node may fill, as they came. */
header ioam_slot_t {
    varbit<IOAM_SLOT_BITS> words;
}

/* Bytes behind the slot in the hop-by-hop header. */
header ioam_rest_t {
    varbit<IOAM_REST_BITS> bytes;
}

/* PadN that brings the IOAM option to a multiple of 4 bytes. */
header ipv6_pad2_t {
    bit<8> type;
    bit<8> length;
}

/* Words that this node allocates for those behind it. */
header ioam_fresh_t {
    bit<IOAM_SOURCE_SPARE_BITS> words;
}

/* Node data of section 4.4.2, in the order of the bits that ask for it. */
header ioam_node_t {
    bit<8>  hop_limit;
    bit<24> node_id;
}

header ioam_interfaces_t {
    bit<16> ingress_port;
    bit<16> egress_port;
}

header ioam_word_t {
    bit<32> value;
}

header ioam_wide_node_t {
    bit<8>  hop_limit;
    bit<56> node_id;
}

header ioam_wide_interfaces_t {
    bit<32> ingress_port;
    bit<32> egress_port;
}

header ioam_wide_word_t {
    bit<64> value;
}

header ioam_opaque_t {
    bit<8>  length;
    bit<24> schema_id;
}


/* The node data, one field per bit of the trace type. */
struct ioam_data_t {
    ioam_node_t            node;
    ioam_interfaces_t      interfaces;
    ioam_word_t            seconds;
    ioam_word_t            fraction;
    ioam_word_t            transit_delay;
    ioam_word_t            namespace_data;
    ioam_word_t            queue_depth;
    ioam_word_t            checksum_complement;
    ioam_wide_node_t       wide_node;
    ioam_wide_interfaces_t wide_interfaces;
    ioam_wide_word_t       wide_namespace_data;
    ioam_word_t            buffer_occupancy;
    ioam_word_t            tx_bytes;
    ioam_word_t[9]         undefined;
    ioam_opaque_t          opaque;
}

/* Parts of a report of the end of a service path; never emitted from here. */
struct kept_t {
    ethernet_t    ethernet;
    nsh_t         nsh;
    nsh_context_t context;
    nsh_ioam_t    head;
    ioam_trace_t  trace;
    ioam_data_t   data;
    ioam_rest_t   rest;
}

struct headers_t {
    ethernet_t                          ethernet;
    /* In a report, the header around it: IOAM is in IPv6 only. */
    ipv4_t                              ipv4;
    udp_t                               report_udp;
    report_t                            report;
    report_int_t                        report_int;
    ioam_word_t                         report_interfaces;
    ioam_word_t                         report_latency;
    ioam_word_t                         report_queue;
    ioam_wide_word_t                    report_time;
    ioam_wide_word_t                    report_interfaces2;
    ethernet_t                          inner_ethernet;
    nsh_t                               nsh;
    nsh_context_t                       nsh_context;
    nsh_option_t[NSH_LEADING_OPTIONS]   nsh_options;
    nsh_ioam_t                          nsh_ioam;
    ipv6_t                              ipv6;
    hop_by_hop_t                        hop_by_hop;
    ipv6_option_t[IOAM_LEADING_OPTIONS] leading;
    ipv6_pad2_t                         pad2;
    ioam_option_t                       ioam_option;
    ioam_trace_t                        ioam_trace;
    ioam_fresh_t                        ioam_fresh;
    ioam_spare_t                        ioam_spare;
    ioam_slot_t                         ioam_slot;
    ioam_data_t                         ioam_data;
    ioam_rest_t                         ioam_rest;
    /* The header that came, when this node has put another one around it. */
    ipv4_t                              inner_ipv4;
    ipv6_t                              inner_ipv6;
    kept_t                              kept;
}

struct ioam_metadata_t {
    /* Written by the parser. The protocol behind the hop-by-hop header. */
    bit<8>  flow_protocol;
    /* Bytes of the hop-by-hop header behind what is parsed; negative (top
     * bit) when an option reaches beyond its end. */
    bit<16> left_bytes;
    /* The same where the IOAM option begins. */
    bit<16> option_left_bytes;
    /* Strictest action for unknown options among those before the trace. */
    bit<2>  unknown_option_action;
    /* Words of this node's data, and words that stay free; negative when there is no room. */
    bit<16> slot_words;
    bit<16> spare_words;
    /* Written by ioam_source.p4 and nsh_classifier.p4: this node has begun the trace. */
    bool    is_source;
    /* Bytes that egress adds to the packet. */
    bit<16> added_bytes;
    /* Written by ioam_namespace.p4. */
    bool    is_enabled;
    bool    is_known;
    bool    is_hpcc;
    bit<32> namespace_data;
    bit<64> wide_namespace_data;
    /* Written by ioam_admission.p4. */
    bool    fill;
}

/* Direct export (RFC 9326). */
struct dex_metadata_t {
    /* Written by the parser, of the last such option before the trace. */
    bool    found;
    bit<16> namespace_id;
    bit<24> trace_type;
    /* Written by dex_watch.p4: bits of the report's metadata, and their values. */
    @field_list(REPORT_FIELDS)
    bit<16> asked;
    @field_list(REPORT_FIELDS)
    bit<32> interfaces;
    @field_list(REPORT_FIELDS)
    bit<32> latency_ns;
    @field_list(REPORT_FIELDS)
    bit<32> queue;
    @field_list(REPORT_FIELDS)
    bit<64> stamp_ns;
}

/* Written by nsh_forwarder.p4 and nsh_end.p4. */
struct nsh_metadata_t {
    bool    ends;
    bit<32> session;
    bit<16> removed_bytes;
}

struct metadata_t {
    l4_metadata_t       l4;
    route_metadata_t    route;
    port_metadata_t     port;
    int_metadata_t      telemetry;
    snapshot_metadata_t snapshot;
    ioam_metadata_t     ioam;
    dex_metadata_t      dex;
    nsh_metadata_t      nsh;
}

#endif  /* IOAM_HEADERS_P4 */
