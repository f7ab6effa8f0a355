#ifndef HPCC_CCM_HEADERS_P4
#define HPCC_CCM_HEADERS_P4

#include "common/types.p4"
#include "hpcc_ccm_types.p4"
#include "common/headers.p4"
#include "common/metadata.p4"

/* Coordination tag without INT; its TPID is the EtherType before it. */
header ccm_tag_t {
    bit<4>  version;
    bit<1>  cc;
    bit<1>  ar_valid;
    bit<10> reserved;
    bit<32> ar_id;
    bit<16> ether_type;
}

/*
 * Notification of a flow, before the addresses of the flow, which are of the family that the
 * notification travels by, and its code.
 */
header notification_t {
    bit<4>  version;
    bit<4>  type;
    bit<8>  flags;
    bit<8>  words;
    bit<8>  key_id;
    bit<32> sender_node;
    bit<64> sequence;
    bit<32> ar_id;
    bit<8>  protocol;
    bit<8>  traffic_class;
    bit<8>  queue_id;
    bit<8>  severity;
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> discriminator;
    bit<32> queue_bytes;
    bit<32> time_ns;
}

header notification_ipv4_t {
    ipv4_addr_t src_addr;
    ipv4_addr_t dst_addr;
}

header notification_ipv6_t {
    ipv6_addr_t src_addr;
    ipv6_addr_t dst_addr;
}

/* SipHash-2-4 fills half of the code. */
header notification_mac_t {
    bit<64> code;
    bit<64> rest;
}

/* Number of the field list that a clone for a notification keeps. */
#define NOTIFICATION_FIELDS 1

/* Written by coordination_tag.p4. */
struct tag_metadata_t {
    bool    takes_part;
    bit<1>  cc;
    bit<1>  ar_valid;
    bit<32> ar_id;
}

/* Written by flow_identity.p4: two hashes of the 5-tuple. */
struct flow_metadata_t {
    bit<32> hash;
    bit<16> digest;
}

/* Written by path_coordination.p4 and by the blocks that it consists of. */
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
    /* Number of light ones, and the least loaded of those that are not to be avoided. */
    bit<8>  lights;
    port_t  best_port;
    /* True if the paths of the pin and of ECMP are among them, and lightly loaded. */
    bool    pin_is_way;
    bool    pin_is_light;
    bool    ecmp_is_way;
    bool    ecmp_is_light;
    /* Loads are counted in windows of 2^window_shift ns; 0: not at all. */
    bit<8>  window_shift;
    bit<8>  window;
    bit<28> best_load;
    bit<28> pin_load;
    /* Flows without CC are sprayed, and whether the port whose turn it is is light. */
    bit<1>  sprays;
    bool    best_is_light;
}

/* Written by path_pin.p4: what is known of the flow's way. */
struct pin_metadata_t {
    bool    is_own;
    /* The cell belongs to another flow, which is alive. */
    bool    is_foreign;
    port_t  port;
    bit<1>  move;
    /* The flow is not sprayed any more: it was asked to move. */
    bit<1>  stays;
    /* The candidate whose turn is next, of a flow that is sprayed. */
    bit<3>  slot;
    bit<64> gap_ns;
}

/* Written by port_congestion.p4. */
struct congestion_metadata_t {
    bool    congested;
    bool    to_host;
    /* Several flows fill the port to a host, whatever its queue. */
    bool    is_full;
    /* Since the port was congested or full last. */
    bit<64> calm_ns;
}

/* Properties of a packet that its clone needs to become a notification. */
struct notice_metadata_t {
    bit<4>  type;
    bit<32> ar_id;
    bit<16> src_port;
    bit<16> dst_port;
    bit<32> queue_bytes;
    bit<32> time_ns;
}

/* The headers and metadata of a switch with coordination. */
struct headers_t {
    ethernet_t          ethernet;
    ccm_tag_t           ccm_tag;
    ipv4_t              ipv4;
    ipv6_t              ipv6;
    udp_t               udp;
    tcp_t               tcp;
    tcp_options_t       tcp_options;
    int_shim_t          int_shim;
    int_md_t            int_md;
    int_hop_t           int_hop;
    notification_t      notification;
    notification_ipv4_t notification_ipv4;
    notification_ipv6_t notification_ipv6;
    notification_mac_t  notification_mac;
}

struct metadata_t {
    l4_metadata_t         l4;
    route_metadata_t      route;
    port_metadata_t       port;
    int_metadata_t        telemetry;
    snapshot_metadata_t   snapshot;
    tag_metadata_t        tag;
    flow_metadata_t       flow;
    paths_metadata_t      paths;
    pin_metadata_t        pin;
    congestion_metadata_t congestion;
    /* The packet is a notification of this switch. */
    bool                  is_own_notification;
    @field_list(NOTIFICATION_FIELDS)
    notice_metadata_t     notice;
}

#endif  /* HPCC_CCM_HEADERS_P4 */
