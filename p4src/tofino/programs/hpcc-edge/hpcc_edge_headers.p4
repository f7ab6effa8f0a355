#ifndef TOFINO_HPCC_EDGE_HEADERS_P4
#define TOFINO_HPCC_EDGE_HEADERS_P4

#include "common/headers.p4"
#include "common/edge_types.p4"
#include "tofino/target/bridge.p4"

/* Rest of the checksum of a header with options, and whether UDP has one. */
#define PROGRAM_FIELDS \
    bit<16> ipv4_rest; \
    bool    has_udp_checksum;
#include "tofino/target/target_types.p4"

/* First field of copies for reports, where other packets have the bridge. */
const bit<7> COPY_OF_INGRESS = 1;
const bit<7> COPY_OF_EGRESS = 2;
const MirrorType_t MIRROR_REPORT = 1;

/* Mirror session that leads to a collector, by its name in Tofino blocks. */
typedef MirrorId_t session_t;

/* Changes that ingress has made, behind the bridge. */
header change_t {
    /* Added, or as a negative number taken out. */
    bit<32> bytes;
    /* The packet ends here, for it has the D flag and came to a sink. */
    bit<1>  ends;
    @padding bit<7> reserved;
    /* Zero, or that of the sink's report, if the source of this same switch wants one. */
    bit<16> session;
}

/* Before the packet as it came in, or with the own hop behind it, as it leaves. */
header copy_t {
    bit<7> kind;
    @padding bit<9> reserved;
}

header hop_copy_t {
    bit<7>  kind;
    @padding bit<9> reserved;
    bit<16> ingress_port;
    bit<16> egress_port;
    /* Its id and its length, which a mirror has in a container of their own. */
    bit<32> queue;
    bit<64> egress_timestamp;
    bit<64> tx_bytes;
    bit<32> capacity_mbps;
}

struct headers_t {
    bridge_t     bridge;
    change_t     change;
    copy_t       copy;
    ethernet_t   ethernet;
    /* The report around a copy. */
    ipv4_t       report_ipv4;
    udp_t        report_udp;
    report_t     report;
    report_int_t report_int;
    report_hop_t report_hop;
    ipv4_t       ipv4;
    ipv6_t       ipv6;
    udp_t        udp;
    tcp_t        tcp;
    int_shim_t   int_shim;
    int_md_t     int_md;
    int_hop_t    int_hop;
    /* The hops of all nodes before, the newest with the highest number. */
    int_hop_t    hop_4;
    int_hop_t    hop_3;
    int_hop_t    hop_2;
    int_hop_t    hop_1;
}

/* Metadata of the copy for a report. */
struct sink_metadata_t {
    session_t session;
    bit<7>    copy_kind;
    bit<16>   ingress_port;
    bit<16>   egress_port;
    bit<32>   queue;
}

#include "tofino/blocks/hpcc-edge/edge_structs.p4"

#endif  /* TOFINO_HPCC_EDGE_HEADERS_P4 */
