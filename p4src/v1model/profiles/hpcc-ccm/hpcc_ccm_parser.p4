#ifndef HPCC_CCM_PARSER_P4
#define HPCC_CCM_PARSER_P4

#include "v1model/blocks/int_parser.p4"
#include "hpcc_ccm_headers.p4"
#include "hpcc_ccm_types.p4"

/*
 * As parser.p4, behind a coordination tag if there is one, and to the end of a notification.
 * Whatever does not follow stays payload.
 */
parser packet_parser(packet_in packet,
                     out headers_t hdr,
                     inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    ip_parser() ip;
    int_parser() telemetry;

    bit<16> ether_type;

    state start {
        packet.extract(hdr.ethernet);
        ether_type = hdr.ethernet.ether_type;
        transition select(ether_type) {
            CCM_TPID: parse_ccm_tag;
            default: parse_flow;
        }
    }

    state parse_ccm_tag {
        packet.extract(hdr.ccm_tag);
        ether_type = hdr.ccm_tag.ether_type;
        transition select(hdr.ccm_tag.version) {
            CCM_VERSION: parse_flow;
            default: accept;
        }
    }

    state parse_flow {
        ip.apply(packet, hdr, meta, ether_type);
        telemetry.apply(packet, hdr, meta);
        transition select(meta.l4.protocol, meta.l4.dscp, hdr.udp.dst_port) {
            (PROTOCOL_UDP, INT_DSCP, _): accept;
            (PROTOCOL_UDP, _, CCM_PORT): parse_message;
            default: accept;
        }
    }

    /* A message about a flow of the other family is payload. */
    state parse_message {
        transition select(ether_type, hdr.udp.length) {
            (ETHERTYPE_IPV4, NOTIFICATION_UDP_BYTES): parse_notification;
            (ETHERTYPE_IPV6, IPV6_NOTIFICATION_UDP_BYTES): parse_ipv6_notification;
            default: accept;
        }
    }

    state parse_notification {
        packet.extract(hdr.notification);
        packet.extract(hdr.notification_ipv4);
        packet.extract(hdr.notification_mac);
        transition accept;
    }

    state parse_ipv6_notification {
        packet.extract(hdr.notification);
        packet.extract(hdr.notification_ipv6);
        packet.extract(hdr.notification_mac);
        transition accept;
    }
}

#endif  /* HPCC_CCM_PARSER_P4 */
