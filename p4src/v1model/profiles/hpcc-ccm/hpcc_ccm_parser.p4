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
        transition select(meta.l4.protocol, meta.l4.dscp, hdr.udp.length, hdr.udp.dst_port) {
            (PROTOCOL_UDP, INT_DSCP, _, _): accept;
            (PROTOCOL_UDP, _, NOTIFICATION_UDP_BYTES, CCM_PORT): parse_notification;
            default: accept;
        }
    }

    state parse_notification {
        packet.extract(hdr.notification);
        transition accept;
    }
}

#endif  /* HPCC_CCM_PARSER_P4 */
